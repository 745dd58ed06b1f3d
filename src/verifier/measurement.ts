import { hash } from 'node:crypto'
import { MULTI_PLATFORM_PREDICATE } from './sigstore/statement.ts'
import { toHex } from './text.ts'

/** The formats of evidence. Each also names the registers that its hardware measures. */
export const SEV_SNP_GUEST_V2 = 'https://tinfoil.sh/predicate/sev-snp-guest/v2'
export const TDX_GUEST_V2 = 'https://tinfoil.sh/predicate/tdx-guest/v2'
export const AWS_NITRO_ENCLAVE_V1 = 'https://tinfoil.sh/predicate/aws-nitro-enclave/v1'

/** Registers that hardware measured or that a release predicts: lowercase hex, in the order of the type. */
export interface Measurement {
  /** A predicate URI. */
  readonly type: string
  readonly registers: readonly string[]
}

/** The register names of each type. */
const registerNames: ReadonlyMap<string, readonly string[]> = new Map([
  [SEV_SNP_GUEST_V2, ['MEASUREMENT']],
  [TDX_GUEST_V2, ['MRTD', 'RTMR0', 'RTMR1', 'RTMR2', 'RTMR3']],
  [AWS_NITRO_ENCLAVE_V1, ['PCR0', 'PCR1', 'PCR2']],
  [MULTI_PLATFORM_PREDICATE, ['SEV-SNP measurement', 'RTMR1', 'RTMR2']],
])

/** @param pcrs of an authenticated attestation document; a register that it lacks is empty */
export function nitroMeasurement(pcrs: ReadonlyMap<number, Uint8Array>): Measurement {
  return {
    type: AWS_NITRO_ENCLAVE_V1,
    registers: [0, 1, 2].map((index) => toHex(pcrs.get(index) ?? new Uint8Array())),
  }
}

/** Adds the name of each register. The name is '' if the type is unknown or has no such register. */
export function namedRegisters({ type, registers }: Measurement): { name: string; hex: string }[] {
  return registers.map((hex, index) => ({ name: registerNames.get(type)?.[index] ?? '', hex }))
}

export type MeasurementFault =
  | 'type-unknown'
  | 'register-count'
  | 'combination-unsupported'
  | 'mismatch'
  | 'rtmr3-set'

/**
 * Returns undefined if the type is known and the number of registers is right. Doesn't check the register
 * values.
 */
export function measurementFormFault({ type, registers }: Measurement): MeasurementFault | undefined {
  const names = registerNames.get(type)
  if (!names) return 'type-unknown'
  return names.length === registers.length ? undefined : 'register-count'
}

/**
 * A single value for a measurement: its only register, or SHA-256 over the type and all registers in hex,
 * concatenated.
 */
export function fingerprint({ type, registers }: Measurement): string {
  const [only = '', ...more] = registers
  return more.length === 0
    ? only.toLowerCase()
    : hash('sha256', type + registers.join('').toLowerCase(), 'hex')
}

/**
 * Whether two measurements are of the same code. Measurements of the same type must be equal. A release with
 * values for several platforms is compared by the registers that hold code on the other's platform, in either
 * order. RTMR3 of a TD must be zero, because nothing may be measured after the start.
 */
export function compareMeasurements(a: Measurement, b: Measurement): MeasurementFault | undefined {
  const malformed = measurementFormFault(a) ?? measurementFormFault(b)
  if (malformed) return malformed
  if (a.type === b.type) return sameRegisters(a.registers, b.registers) ? undefined : 'mismatch'
  if (a.type === MULTI_PLATFORM_PREDICATE) return compareToRelease(a.registers, b)
  if (b.type === MULTI_PLATFORM_PREDICATE) return compareToRelease(b.registers, a)
  return 'combination-unsupported'
}

function compareToRelease(
  [snp = '', rtmr1 = '', rtmr2 = '']: readonly string[],
  { type, registers }: Measurement,
): MeasurementFault | undefined {
  if (type === SEV_SNP_GUEST_V2) return sameRegisters([snp], registers) ? undefined : 'mismatch'
  if (type !== TDX_GUEST_V2) return 'combination-unsupported'
  const [, , attested1 = '', attested2 = '', attested3 = ''] = registers
  if (!sameRegisters([rtmr1, rtmr2], [attested1, attested2])) return 'mismatch'
  return /^0{96}$/.test(attested3) ? undefined : 'rtmr3-set'
}

function sameRegisters(a: readonly string[], b: readonly string[]): boolean {
  return (
    a.length === b.length &&
    a.every((register, index) => register !== '' && register.toLowerCase() === b[index]?.toLowerCase())
  )
}

/** Virtual hardware that a trust domain may start on. */
export interface VirtualHardware {
  readonly id: string
  readonly mrtd: string
  readonly rtmr0: string
}

/** The first entry with the MRTD and the RTMR0 of a TDX measurement. */
export function findHardware(
  { registers }: Measurement,
  entries: readonly VirtualHardware[],
): VirtualHardware | undefined {
  const [mrtd = '', rtmr0 = ''] = registers
  return entries.find((entry) => sameRegisters([entry.mrtd, entry.rtmr0], [mrtd, rtmr0]))
}
