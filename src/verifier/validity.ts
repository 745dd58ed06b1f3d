import type { AttestationCode } from './codes.ts'
import { msg } from './message.ts'
import { passUnless, type Finding } from './steps.ts'
import { isoTime } from './text.ts'
import { validityAt, type Certificate } from './x509/index.ts'

type Invalidity = Exclude<ReturnType<typeof validityAt>, 'valid'>

/**
 * The finding of a step that compares a time with a period. Fails with the code for a time before or after
 * the period.
 *
 * @param period Unix ms, both ends inclusive
 * @param at Unix ms
 */
export function validityFinding(
  period: Pick<Certificate, 'notBefore' | 'notAfter'>,
  at: number,
  codes: Readonly<Record<Invalidity, AttestationCode>>,
): Finding {
  const validity = validityAt(period, at)
  return passUnless(
    validity === 'valid' ? undefined : codes[validity],
    msg('valid at {time}', { time: isoTime(at) }),
    msg('from {from} to {to}', { from: isoTime(period.notBefore), to: isoTime(period.notAfter) }),
  )
}
