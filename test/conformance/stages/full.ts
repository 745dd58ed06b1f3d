import { z } from 'zod'
import { TDX_GUEST_V2 } from '../../../src/core/attestation/document.ts'
import { compareMeasurements, fingerprint } from '../../../src/core/attestation/measurement.ts'
import type { JsonValue } from '../../../src/shared/strict-json.ts'
import type { Outcome, StageRun } from '../contract.ts'
import { hardwareForm } from './hardware-measurements.ts'
import { readInput, version1 } from './input.ts'
import { measurementForm, measurementRejections } from './measurement.ts'

const block = z.record(z.string(), z.json())

const form = z.strictObject({
  schema_version: version1,
  mode: z.enum(['standard', 'bundle', 'pinned']),
  sigstore: block.optional(),
  attestation_sev: block.optional(),
  attestation_tdx: block.optional(),
  hardware_measurements: hardwareForm.default([]),
  pinned_measurement: measurementForm.optional(),
})
type Request = z.infer<typeof form>

type Accepted = Extract<Outcome, { kind: 'accepted' }>
type Refused = Exclude<Outcome, Accepted>

/** What another stage answered, once it accepted. */
const measuredForm = z.object({ measurement: measurementForm })

/**
 * The whole flow: what was released, what the hardware says, and whether the two agree; or, where a measurement is pinned, whether
 * the hardware shows that one. Every refusal names its stage.
 */
export async function verifyFull(input: JsonValue, run: StageRun): Promise<Outcome> {
  const request = readInput(form, input)
  const { mode, pinned_measurement: pinned } = request
  const attestation = attestationOf(request)
  const expected = mode === 'pinned' ? pinned : request.sigstore
  if (!expected || !attestation) return { kind: 'rejected', code: 'BUNDLE_MALFORMED', stage: 'verify-full' }

  const released = mode === 'pinned' ? undefined : await outcomeOf('verify-sigstore', { verification_time_unix: Math.floor(Date.now() / 1000), ...request.sigstore }, run)
  if (released && released.kind !== 'accepted') return released
  const attested = await outcomeOf(attestation.stage, attestation.input, run)
  if (attested.kind !== 'accepted') return attested

  const { measurement } = measuredForm.parse(attested.outputs)
  const source = released ? measuredForm.parse(released.outputs).measurement : pinned ?? measurement
  const hardware = released && measurement.type === TDX_GUEST_V2
    ? await outcomeOf('verify-hardware-measurements', { enclave_measurement: measurement, hardware_measurements: request.hardware_measurements }, run)
    : undefined
  if (hardware && hardware.kind !== 'accepted') return hardware
  const fault = compareMeasurements(source, measurement)
  if (fault) return { kind: 'rejected', code: measurementRejections[fault], stage: 'verify-measurement' }
  return {
    kind: 'accepted',
    outputs: {
      mode,
      platform: measurement.type === TDX_GUEST_V2 ? 'tdx' : 'sev-snp',
      ...(released && { sigstore_measurement: source }),
      attestation_measurement: measurement,
      ...(hardware && { matched_hardware: hardware.outputs }),
      final_measurement_fingerprint_hex: fingerprint(measurement),
    },
  }
}

/** Exactly one platform: which of two was meant would be a guess. */
function attestationOf({ attestation_sev: sev, attestation_tdx: tdx }: Request): { stage: string; input: Record<string, JsonValue> } | undefined {
  if (sev && tdx) return undefined
  if (sev) return { stage: 'verify-attestation-sev', input: sev }
  return tdx && { stage: 'verify-attestation-tdx', input: tdx }
}

async function outcomeOf(stage: string, input: Record<string, JsonValue>, run: StageRun): Promise<Accepted | Refused> {
  const outcome = await run(stage, { ...input, schema_version: '1' })
  return outcome.kind === 'rejected' ? { ...outcome, stage } : outcome
}
