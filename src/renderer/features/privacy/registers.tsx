import type { Verdict } from '../../../shared/verdict.ts'
import { CopyButton } from '../../ui/copy-button.tsx'
import { groupHex } from '../../ui/format/number.ts'
import styles from './registers.module.css'

/** What each register measures, by the name that its maker gives it. */
const meaning: Readonly<Record<string, string>> = {
  MEASUREMENT: 'the memory that the guest started with',
  MRTD: 'the virtual firmware that the trust domain started with',
  RTMR0: 'how the virtual hardware was configured',
  RTMR1: 'the kernel',
  RTMR2: 'the kernel’s command line and first file system',
  RTMR3: 'what was loaded later: zero, nothing',
  PCR0: 'the whole image',
  PCR1: 'the kernel and how it was started',
  PCR2: 'the programs',
}

/** The measured registers, whole: to be compared by eye or copied. */
export function Registers({ registers }: { registers: NonNullable<Verdict['registers']> }) {
  return (
    <table className={styles.registers}>
      <caption>What the hardware measured</caption>
      <colgroup><col className={styles.name} /><col /></colgroup>
      <thead><tr><th scope="col">Register</th><th scope="col">Value</th></tr></thead>
      <tbody>
        {registers.map(({ name, hex }) => (
          <tr key={name}>
            <th scope="row"><code>{name}</code>{meaning[name] !== undefined && <span className={styles.meaning}>{meaning[name]}</span>}</th>
            <td>
              <span className={styles.hex}>
                <code>{/^0+$/.test(hex) ? 'zero' : groupHex(hex)}</code>
                <CopyButton label={`Copy ${name}`} text={() => hex} />
              </span>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
