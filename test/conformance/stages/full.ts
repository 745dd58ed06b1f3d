import { z } from 'zod'
import { TDX_GUEST_V2 } from '../../../src/verifier/measurement.ts'
import { compareMeasurements, fingerprint } from '../../../src/verifier/measurement.ts'
import { isJsonObject, type JsonValue } from '../../../src/verifier/strict-json.ts'
import type { Outcome, StageRun } from '../contract.ts'
import { hardwareForm } from './hardware-measurements.ts'
import { readInput, version1 } from './input.ts'
import { measurementFaultOf, measurementForm, measurementRejections } from './measurement.ts'

const block = z.record(z.string(), z.json())

/** Members that are optional in this flow and required in its stages. The suite calls these values typical. */
const workflow = {
  oidc_issuer: 'https://token.actions.githubusercontent.com',
  workflow_ref_prefix: 'refs/tags/',
  payload_type: 'application/vnd.in-toto+json',
}

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

/** The outputs of accepted stages. */
const measuredForm = z.object({ measurement: measurementForm })
const matchedForm = z.object({ matched_id: z.string(), matched_mrtd: z.string(), matched_rtmr0: z.string() })

/**
 * The whole flow: verifies the release and the hardware's evidence, and whether the two agree. If a
 * measurement is pinned, it verifies that the hardware has that measurement. Every refusal names its stage.
 */
export async function verifyFull(input: JsonValue, run: StageRun): Promise<Outcome> {
  const request = readInput(form, input)
  const { mode, pinned_measurement: pinned } = request
  const attestation = attestationOf(request)
  const expected = mode === 'pinned' ? pinned : request.sigstore
  if (!expected || !attestation) return { kind: 'rejected', code: 'BUNDLE_MALFORMED', stage: 'verify-full' }

  const pinFault = mode === 'pinned' && pinned ? measurementFaultOf(pinned) : undefined
  if (pinFault)
    return { kind: 'rejected', code: measurementRejections[pinFault], stage: 'verify-measurement' }

  const released =
    mode === 'pinned' ? undefined : await outcomeOf('verify-sigstore', sigstoreInput(request), run)
  if (released && released.kind !== 'accepted') return released
  // This adapter doesn't fetch a quote's collateral.
  if (request.attestation_tdx && request.attestation_tdx['collateral'] === undefined)
    return { kind: 'rejected', code: 'QV_RESULT_TERMINAL_UNSPECIFIED', stage: 'verify-attestation-tdx' }
  const attested = await outcomeOf(attestation.stage, attestation.input, run)
  if (attested.kind !== 'accepted') return attested

  const { measurement } = measuredForm.parse(attested.outputs)
  const source = released ? measuredForm.parse(released.outputs).measurement : (pinned ?? measurement)
  const hardware =
    released && measurement.type === TDX_GUEST_V2
      ? await outcomeOf(
          'verify-hardware-measurements',
          { enclave_measurement: measurement, hardware_measurements: request.hardware_measurements },
          run,
        )
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
      ...(hardware && { matched_hardware: matchedEntry(hardware.outputs) }),
      final_measurement_fingerprint_hex: fingerprint(measurement),
    },
  }
}

function sigstoreInput({ sigstore = {} }: Request): Record<string, JsonValue> {
  const { policy } = sigstore
  return {
    verification_time_unix: unixNow(),
    ...sigstore,
    ...(isJsonObject(policy) && { policy: { ...workflow, ...policy } }),
  }
}

/** The entry of the list, with the list's own names in addition to those of the stage that found it. */
function matchedEntry(outputs: object): object {
  const found = matchedForm.parse(outputs)
  return { id: found.matched_id, mrtd: found.matched_mrtd, rtmr0: found.matched_rtmr0, ...found }
}

const unixNow = (): number => Math.floor(Date.now() / 1000)

/** The input must have exactly one platform, because a choice between two would be a guess. */
function attestationOf({
  attestation_sev: sev,
  attestation_tdx: tdx,
}: Request): { stage: string; input: Record<string, JsonValue> } | undefined {
  if (sev && tdx) return undefined
  if (sev) return { stage: 'verify-attestation-sev', input: sev }
  return tdx && { stage: 'verify-attestation-tdx', input: { expiration_check_date_unix: unixNow(), ...tdx } }
}

async function outcomeOf(
  stage: string,
  input: Record<string, JsonValue>,
  run: StageRun,
): Promise<Accepted | Refused> {
  const outcome = await run(stage, { ...input, schema_version: '1' })
  return outcome.kind === 'rejected' ? { ...outcome, stage } : outcome
}
