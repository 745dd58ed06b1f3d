import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { Verdict } from '../../../shared/verdict.ts'
import { HexValue } from '../../ui/facts.tsx'
import hidden from '../../ui/hidden.module.css'
import styles from './registers.module.css'

/** The meaning of each register, by its vendor's name. */
const meaning: Readonly<Record<string, string>> = {
  get MEASUREMENT() {
    return t`initial guest memory`
  },
  get MRTD() {
    return t`initial virtual firmware of the trust domain`
  },
  get RTMR0() {
    return t`virtual hardware configuration`
  },
  get RTMR1() {
    return t`kernel`
  },
  get RTMR2() {
    return t`kernel command line and initial file system`
  },
  get RTMR3() {
    return t`anything loaded later (zero if none)`
  },
  get PCR0() {
    return t`entire image`
  },
  get PCR1() {
    return t`kernel and boot configuration`
  },
  get PCR2() {
    return t`applications`
  },
}

/** The measured registers, whole: to be compared by eye or copied. */
export function Registers({ registers }: { registers: NonNullable<Verdict['registers']> }) {
  return (
    <table className={styles.registers}>
      <caption>
        <Trans>Hardware measurements</Trans>
      </caption>
      <colgroup>
        <col className={styles.name} />
        <col />
      </colgroup>
      <thead className={hidden.hidden}>
        <tr>
          <th scope="col">
            <Trans>Register</Trans>
          </th>
          <th scope="col">
            <Trans>Value</Trans>
          </th>
        </tr>
      </thead>
      <tbody>
        {registers.map(({ name, hex }) => (
          <tr key={name}>
            <th scope="row">
              <code>{name}</code>
              {meaning[name] !== undefined && <span className={styles.meaning}>{meaning[name]}</span>}
            </th>
            <td>
              <HexValue copies={t`Copy ${name}`} hex={hex} shown={/^0+$/.test(hex) ? t`zero` : undefined} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
