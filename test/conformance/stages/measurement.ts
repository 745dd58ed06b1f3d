import { z } from 'zod'
import { SEV_SNP_GUEST_V2, TDX_GUEST_V2 } from '../../../src/verifier/measurement.ts'
import {
  compareMeasurements,
  fingerprint,
  measurementFormFault,
  type Measurement,
  type MeasurementFault,
} from '../../../src/verifier/measurement.ts'
import { MULTI_PLATFORM_PREDICATE } from '../../../src/verifier/sigstore/statement.ts'
import type { JsonValue } from '../../../src/verifier/strict-json.ts'
import type { Outcome } from '../contract.ts'
import { readInput, version1 } from './input.ts'

export const measurementForm = z.strictObject({ type: z.string(), registers: z.array(z.string()) })

const form = z.strictObject({
  schema_version: version1,
  source: measurementForm,
  target: measurementForm.nullable().default(null),
})

/** The suite's rejection codes for Sotto's faults. */
export const measurementRejections: Readonly<Record<MeasurementFault, string>> = {
  'type-unknown': 'MEASUREMENT_TYPE_UNKNOWN',
  'register-count': 'MEASUREMENT_REGISTER_COUNT_INVALID',
  'combination-unsupported': 'MEASUREMENT_TYPE_COMBINATION_UNSUPPORTED',
  mismatch: 'MEASUREMENT_MISMATCH',
  'rtmr3-set': 'MEASUREMENT_RTMR3_NONZERO',
}

/** SPEC 2.3: the suite knows of no Nitro. */
const TYPES = [SEV_SNP_GUEST_V2, TDX_GUEST_V2, MULTI_PLATFORM_PREDICATE]

export function verifyMeasurement(input: JsonValue): Outcome {
  const { source, target } = readInput(form, input)
  const fault =
    measurementFaultOf(source) ??
    (target && (measurementFaultOf(target) ?? compareMeasurements(source, target)))
  if (fault) return { kind: 'rejected', code: measurementRejections[fault] }
  return {
    kind: 'accepted',
    outputs: {
      source_fingerprint_hex: fingerprint(source),
      target_fingerprint_hex: target && fingerprint(target),
    },
  }
}

/** A measurement's own fault, of the types that the suite knows. */
export function measurementFaultOf(measurement: Measurement): MeasurementFault | undefined {
  return TYPES.includes(measurement.type) ? measurementFormFault(measurement) : 'type-unknown'
}
