/** A small writer of CBOR (RFC 8949), in the shortest form of every length: as much of it as an attestation document needs. */
export type Cbor = number | string | null | Uint8Array | readonly Cbor[] | ReadonlyMap<Cbor, Cbor>

const majorTypes = { unsigned: 0, bytes: 2, text: 3, array: 4, map: 5 } as const
const nothing = Buffer.of(0xf6)

/** @param value numbers are integers from 0 to 2^53 - 1; a map is written in its own order */
export function encodeCbor(value: Cbor): Buffer {
  if (value === null) return nothing
  if (typeof value === 'number') return head(majorTypes.unsigned, value)
  if (typeof value === 'string') return prefixed(majorTypes.text, Buffer.from(value))
  if (value instanceof Uint8Array) return prefixed(majorTypes.bytes, value)
  if (isList(value)) return Buffer.concat([head(majorTypes.array, value.length), ...value.map(encodeCbor)])
  const entries = [...value].flatMap(([key, entry]) => [encodeCbor(key), encodeCbor(entry)])
  return Buffer.concat([head(majorTypes.map, value.size), ...entries])
}

function isList(value: Cbor): value is readonly Cbor[] {
  return Array.isArray(value)
}

function prefixed(type: number, bytes: Uint8Array): Buffer {
  return Buffer.concat([head(type, bytes.length), bytes])
}

/** RFC 8949 section 3: three bits of type, then the argument in 0, 1, 2, 4 or 8 bytes. */
function head(type: number, argument: number): Buffer {
  if (!Number.isSafeInteger(argument) || argument < 0) throw new RangeError('not an unsigned integer')
  const initial = type << 5
  if (argument < 24) return Buffer.of(initial | argument)
  if (argument < 2 ** 8) return Buffer.of(initial | 24, argument)
  const wide =
    argument < 2 ** 16
      ? { bytes: 2, information: 25 }
      : argument < 2 ** 32
        ? { bytes: 4, information: 26 }
        : { bytes: 8, information: 27 }
  const written = Buffer.alloc(9)
  written.writeBigUInt64BE(BigInt(argument), 1)
  const start = 8 - wide.bytes
  written[start] = initial | wide.information
  return written.subarray(start)
}
