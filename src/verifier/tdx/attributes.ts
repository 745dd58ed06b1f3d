/** TDATTRIBUTES (A.3.4), 64 bits, little-endian in the report. */
export interface TdAttributes {
  readonly debug: boolean
  /** Bits 7 to 1. */
  readonly tudReserved: boolean
  /** Bits 27 to 8. */
  readonly secReservedLower: boolean
  readonly septVeDisable: boolean
  /** Lets the TD be migrated. */
  readonly secReserved29: boolean
  readonly protectionKeys: boolean
  readonly keyLocker: boolean
  /** Bits 62 to 32. */
  readonly otherReserved: boolean
  readonly perfmon: boolean
}

/** @param bytes the 8 bytes of TDATTRIBUTES, in the report's order */
export function decodeTdAttributes(bytes: Uint8Array): TdAttributes {
  const bits = toBits(bytes)
  const any = (high: number, low: number) => (bits >> BigInt(low)) & ((1n << BigInt(high - low + 1)) - 1n)
  const is = (bit: number) => any(bit, bit) === 1n
  return {
    debug: is(0),
    tudReserved: any(7, 1) !== 0n,
    secReservedLower: any(27, 8) !== 0n,
    septVeDisable: is(28),
    secReserved29: is(29),
    protectionKeys: is(30),
    keyLocker: is(31),
    otherReserved: any(62, 32) !== 0n,
    perfmon: is(63),
  }
}

/** The bits that a TDX module lets a TD set: SEPT_VE_DISABLE, PKS and PERFMON. Another step checks DEBUG. */
const ATTRIBUTES_ALLOWED = 1n | (1n << 28n) | (1n << 30n) | (1n << 63n)
/** x87 and SSE, which every TD has, and the further bits that a TD may have. */
const XFAM_REQUIRED = 0x3n
const XFAM_ALLOWED = 0x0006_dbe7n

/**
 * Whether a bit is set that a TDX module never lets a TD set. DEBUG isn't such a bit, because another step
 * checks it. @param bytes 8
 */
export function attributesReservedBits(bytes: Uint8Array): boolean {
  return (toBits(bytes) & ~ATTRIBUTES_ALLOWED) !== 0n
}

/**
 * Returns undefined if XFAM has the two bits that every TD has, and no bit that a TD may not have. @param
 * bytes 8
 */
export function xfamFault(bytes: Uint8Array): 'required-bits' | 'reserved-bits' | undefined {
  const bits = toBits(bytes)
  if ((bits & XFAM_REQUIRED) !== XFAM_REQUIRED) return 'required-bits'
  return (bits & ~XFAM_ALLOWED) === 0n ? undefined : 'reserved-bits'
}

function toBits(bytes: Uint8Array): bigint {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength).getBigUint64(0, true)
}
