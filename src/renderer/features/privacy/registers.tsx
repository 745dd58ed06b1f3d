import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { Verdict } from '../../../shared/verdict.ts'
import { CopyButton } from '../../ui/copy-button.tsx'
import { groupHex } from '../../ui/format/number.ts'
import styles from './registers.module.css'

/** What each register measures, by the name that its maker gives it. */
const meaning: Readonly<Record<string, string>> = {
  get MEASUREMENT() { return t`the memory that the guest started with` },
  get MRTD() { return t`the virtual firmware that the trust domain started with` },
  get RTMR0() { return t`how the virtual hardware was configured` },
  get RTMR1() { return t`the kernel` },
  get RTMR2() { return t`the kernel’s command line and first file system` },
  get RTMR3() { return t`what was loaded later: zero, nothing` },
  get PCR0() { return t`the whole image` },
  get PCR1() { return t`the kernel and how it was started` },
  get PCR2() { return t`the programs` },
}

/** The measured registers, whole: to be compared by eye or copied. */
export function Registers({ registers }: { registers: NonNullable<Verdict['registers']> }) {
  return (
    <table className={styles.registers}>
      <caption><Trans>What the hardware measured</Trans></caption>
      <colgroup><col className={styles.name} /><col /></colgroup>
      <thead><tr><th scope="col"><Trans>Register</Trans></th><th scope="col"><Trans>Value</Trans></th></tr></thead>
      <tbody>
        {registers.map(({ name, hex }) => (
          <tr key={name}>
            <th scope="row"><code>{name}</code>{meaning[name] !== undefined && <span className={styles.meaning}>{meaning[name]}</span>}</th>
            <td>
              <span className={styles.hex}>
                <code>{/^0+$/.test(hex) ? 'zero' : groupHex(hex)}</code>
                <CopyButton label={t`Copy ${name}`} text={() => hex} />
              </span>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
