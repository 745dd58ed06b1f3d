import { msg } from './message.ts'
import type { Checklist, PlannedStep } from './checklist.ts'
import type { HardwareStatement } from './collateral.ts'
import { findHardware, type Measurement } from './measurement.ts'
import {
  HARDWARE_PREDICATE,
  verifyHardwareStatement,
  type HardwareEntry,
  type SigstoreInput,
} from './sigstore/index.ts'

/** What a trust domain starts on is measured before its code is, and is the host's choice: the code alone says too little. */
export const hardwarePlan = [
  { id: 'hardware/statement', title: 'Virtual hardware list was built by the publisher named in the policy' },
  { id: 'hardware/match', title: 'Enclave was started on virtual hardware from the signed list' },
] as const satisfies readonly PlannedStep[]

type HardwareStep = (typeof hardwarePlan)[number]['id']

/** Holds MRTD and RTMR0 of an authenticated quote to one entry of the signed list that came with it. */
export function checkHardware(
  checks: Checklist<HardwareStep>,
  attested: Measurement,
  statement: HardwareStatement | undefined,
  signer: Pick<SigstoreInput, 'trustedRoot' | 'policy' | 'now'>,
): void {
  const entries = takeEntries(checks, statement, signer)
  const [mrtd = '', rtmr0 = ''] = attested.registers
  const found = findHardware(attested, entries)
  checks.record(
    'hardware/match',
    found ? undefined : 'hardware/mismatch',
    msg('one of {count} kinds', { count: entries.length }),
    found?.id ?? `MRTD ${mrtd}, RTMR0 ${rtmr0}`,
  )
}

function takeEntries(
  checks: Checklist<HardwareStep>,
  statement: HardwareStatement | undefined,
  signer: Pick<SigstoreInput, 'trustedRoot' | 'policy' | 'now'>,
): readonly HardwareEntry[] {
  const expected = msg('{statement} of {repository}', {
    statement: HARDWARE_PREDICATE,
    repository: signer.policy.repository,
  })
  if (!statement) return checks.fail('hardware/statement', 'hardware/missing', expected, msg('none'))
  const { repository, tag, digest, sigstoreBundle: bundle } = statement
  if (repository !== signer.policy.repository)
    checks.fail(
      'hardware/statement',
      'hardware/statement-invalid',
      expected,
      msg('one of {repository}', { repository }),
    )
  const result = verifyHardwareStatement({ ...signer, bundle, digest }, tag)
  if (!result.good)
    return checks.fail('hardware/statement', 'hardware/statement-invalid', expected, result.observed)
  checks.pass('hardware/statement', expected, result.tag)
  return result.entries
}
