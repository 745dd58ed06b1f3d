import { z } from 'zod'
import { TDX_GUEST_V2 } from '../../../src/verifier/measurement.ts'
import { findHardware, measurementFormFault } from '../../../src/verifier/measurement.ts'
import type { JsonValue } from '../../../src/verifier/strict-json.ts'
import type { Outcome } from '../contract.ts'
import { readInput, version1 } from './input.ts'
import { measurementForm } from './measurement.ts'

export const hardwareForm = z.array(z.strictObject({ id: z.string(), mrtd: z.string(), rtmr0: z.string() }))

const form = z.strictObject({
  schema_version: version1,
  enclave_measurement: measurementForm,
  hardware_measurements: hardwareForm,
})

export function verifyHardwareMeasurements(input: JsonValue): Outcome {
  const { enclave_measurement: enclave, hardware_measurements: entries } = readInput(form, input)
  if (enclave.type !== TDX_GUEST_V2) return { kind: 'rejected', code: 'ENCLAVE_MEASUREMENT_TYPE_INVALID' }
  if (measurementFormFault(enclave)) return { kind: 'rejected', code: 'ENCLAVE_REGISTER_COUNT_INVALID' }
  const found = findHardware(enclave, entries)
  if (!found) return { kind: 'rejected', code: 'HARDWARE_NO_MATCH' }
  return {
    kind: 'accepted',
    outputs: { matched_id: found.id, matched_mrtd: found.mrtd, matched_rtmr0: found.rtmr0 },
  }
}
