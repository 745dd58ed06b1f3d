import { msg } from './message.ts'
import type { HardwareStatement } from './collateral.ts'
import { findHardware, type Measurement } from './measurement.ts'
import {
  HARDWARE_PREDICATE,
  verifyHardwareStatement,
  type HardwareEntry,
  type SigstoreInput,
} from './sigstore/index.ts'
import { fail, passed, passUnless, Steps, type Finding } from './steps.ts'

interface VirtualHardwareInput {
  /** MRTD and RTMR0 of an authenticated quote are compared. */
  readonly measurement: Measurement
  readonly statement: HardwareStatement | undefined
  readonly signer: Pick<SigstoreInput, 'trustedRoot' | 'policy' | 'now'>
}

/** The host chooses the virtual hardware that a trust domain starts on, which is measured before the code. So a list of it is required too. */
export const virtualHardwareSteps = Steps.of<VirtualHardwareInput>()
  .add({
    id: 'hardware/statement',
    title: 'Virtual hardware list was built by the publisher named in the policy',
    run: ({ statement, signer }) => readEntries(statement, signer),
  })
  .add({
    id: 'hardware/match',
    title: 'Enclave was started on virtual hardware from the signed list',
    run({ measurement, entries }) {
      const found = findHardware(measurement, entries)
      const [mrtd = '', rtmr0 = ''] = measurement.registers
      return passUnless(
        found ? undefined : 'hardware/mismatch',
        msg('one of {count} kinds', { count: entries.length }),
        found?.id ?? `MRTD ${mrtd}, RTMR0 ${rtmr0}`,
      )
    },
  })

function readEntries(
  statement: HardwareStatement | undefined,
  signer: VirtualHardwareInput['signer'],
): Finding<{ readonly entries: readonly HardwareEntry[] }> {
  const expected = msg('{statement} of {repository}', {
    statement: HARDWARE_PREDICATE,
    repository: signer.policy.repository,
  })
  if (!statement) return fail('hardware/missing', expected, msg('none'))
  const { repository, tag, digest, sigstoreBundle: bundle } = statement
  if (repository !== signer.policy.repository)
    return fail('hardware/statement-invalid', expected, msg('one of {repository}', { repository }))
  const result = verifyHardwareStatement({ ...signer, bundle, digest }, tag)
  if (!result.good) return fail('hardware/statement-invalid', expected, result.observed)
  return passed(expected, result.tag, { entries: result.entries })
}
