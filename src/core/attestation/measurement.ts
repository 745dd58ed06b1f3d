import type { AttestationPolicy } from '../../shared/policy/attestation-policy.ts'
import type { Checklist, PlannedStep } from './checklist.ts'

type MeasurementStep = 'measurement/match' | 'measurement/pinned'

/** @returns the steps, of which the pins are required where the user pinned some */
export function measurementPlan({ pinnedMeasurements }: AttestationPolicy): readonly PlannedStep<MeasurementStep>[] {
  return [
    { id: 'measurement/match', title: 'The enclave runs the code of the release' },
    { id: 'measurement/pinned', title: 'The code is among the measurements that you pinned', required: pinnedMeasurements !== undefined },
  ]
}

/** @param attested the launch measurement of an authenticated report. @param released what the authenticated release says it will be. Both lowercase hex */
export function checkMeasurement(checks: Checklist<MeasurementStep>, attested: string, released: string, { pinnedMeasurements }: AttestationPolicy): void {
  checks.record('measurement/match', attested === released ? undefined : 'measurement/mismatch', released, attested)
  if (!pinnedMeasurements) return checks.notChecked('measurement/pinned', 'any measurement', 'none is pinned')
  const pinned = pinnedMeasurements.includes(attested)
  checks.record('measurement/pinned', pinned ? undefined : 'measurement/not-pinned', pinnedMeasurements.join(' or ') || 'none', attested)
}
