import type { SevProduct } from '../policy.ts'

/** The guest policy (AMD 56860, "Guest Policy"): what the guest lets the host do. */
export interface GuestPolicy {
  readonly smt: boolean
  readonly migrateMa: boolean
  readonly debug: boolean
  readonly singleSocket: boolean
  readonly cxl: boolean
  /** Bit 17 is one and bits 26 to 63 are zero. */
  readonly reservedBitsHold: boolean
}

const bit = (value: bigint, number: number) => ((value >> BigInt(number)) & 1n) === 1n

/**
 * @param policy the 64 bits of POLICY. Its minimum ABI version (bits 0 to 15) and bits 22 to 25 have no flag
 * here.
 */
export function decodeGuestPolicy(policy: bigint): GuestPolicy {
  return {
    smt: bit(policy, 16),
    migrateMa: bit(policy, 18),
    debug: bit(policy, 19),
    singleSocket: bit(policy, 20),
    cxl: bit(policy, 21),
    reservedBitsHold: bit(policy, 17) && policy >> 26n === 0n,
  }
}

/** PLATFORM_INFO (AMD 56860): the configuration of the machine. */
export interface PlatformInfo {
  readonly smt: boolean
  readonly tsme: boolean
  readonly ecc: boolean
  /** The firmware checked that no two addresses map to the same memory cell (BadRAM, AMD-SB-3015). */
  readonly aliasCheck: boolean
  readonly reservedBitsHold: boolean
}

/**
 * Bits 0 to 5 have a meaning on all products. Bits 6 (IOMMU write safe) and 7 (TIO) have one only on Turin.
 */
const FIRST_RESERVED_PLATFORM_BIT: Record<SevProduct, bigint> = { Milan: 6n, Genoa: 6n, Turin: 8n }

/** @param info the 64 bits of PLATFORM_INFO. Bits 3 and 4, and Turin's 6 and 7, have no flag here. */
export function decodePlatformInfo(info: bigint, product: SevProduct): PlatformInfo {
  return {
    smt: bit(info, 0),
    tsme: bit(info, 1),
    ecc: bit(info, 2),
    aliasCheck: bit(info, 5),
    reservedBitsHold: info >> FIRST_RESERVED_PLATFORM_BIT[product] === 0n,
  }
}

/** The key that signed the report (AMD 56860, "ATTESTATION_REPORT", offset 48h). */
export interface SignerInfo {
  readonly authorKey: boolean
  readonly chipKeyMasked: boolean
  readonly key: 'vcek' | 'vlek' | 'none' | 'reserved'
  readonly reservedBitsHold: boolean
}

const SIGNING_KEYS: Readonly<Record<number, 'vcek' | 'vlek' | 'none'>> = { 0: 'vcek', 1: 'vlek', 7: 'none' }

/** Bit 0: an author key was used. Bit 1: the chip's identity is masked. Bits 2 to 4: the signing key. */
export function decodeSignerInfo(info: number): SignerInfo {
  return {
    authorKey: (info & 1) !== 0,
    chipKeyMasked: (info & 0b10) !== 0,
    key: SIGNING_KEYS[(info >>> 2) & 0b111] ?? 'reserved',
    reservedBitsHold: info >>> 5 === 0,
  }
}
