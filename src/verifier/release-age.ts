import type { AttestationPolicy } from './policy.ts'
import { msg } from './message.ts'
import type { Checklist, PlannedStep } from './checklist.ts'
import type { Provenance } from './sigstore/index.ts'
import { isoTime } from './text.ts'

const STEP = 'release/minimum-log-time'

/** Required if the policy has a minimum. */
export function agePlan({ minimumLogTime }: AttestationPolicy): readonly PlannedStep<typeof STEP>[] {
  return [
    {
      id: STEP,
      title: 'Release is new enough for this version of Sotto',
      required: minimumLogTime !== undefined,
    },
  ]
}

/** Compares the release's verified log time with the policy's minimum. Fails with release/too-old. */
export function checkAge(
  checks: Checklist<typeof STEP>,
  { logTime }: Provenance,
  { minimumLogTime }: AttestationPolicy,
): void {
  if (minimumLogTime === undefined)
    return checks.notChecked(STEP, msg('any release'), msg('the policy has no minimum'))
  checks.record(
    STEP,
    logTime < Date.parse(minimumLogTime) ? 'release/too-old' : undefined,
    msg('logged at {time} or later', { time: minimumLogTime }),
    msg('logged at {time}', { time: isoTime(logTime) }),
  )
}
