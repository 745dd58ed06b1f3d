/** Writes CBOR without checks, so that a test can falsify any part. */
export type Writable =
  | number
  | string
  | null
  | Written
  | readonly Writable[]
  | ReadonlyMap<number | string, Writable>

/** An encoded item, or bytes that are not an item. */
export interface Written {
  readonly raw: Uint8Array
}

export const majors = { unsigned: 0, negative: 1, bytes: 2, text: 3, array: 4, map: 5, tag: 6 } as const

/** @param width of the argument in bytes: 0, 1, 2, 4 or 8; the shortest if it is omitted */
export function head(major: number, argument: number | bigint, width?: 0 | 1 | 2 | 4 | 8): Buffer {
  const value = BigInt(argument)
  const bytes =
    width ?? (value < 24n ? 0 : value < 0x100n ? 1 : value < 0x1_0000n ? 2 : value < 0x1_0000_0000n ? 4 : 8)
  if (bytes === 0) return Buffer.of((major << 5) | Number(value))
  const information = { 1: 24, 2: 25, 4: 26, 8: 27 }[bytes]
  return Buffer.concat([
    Buffer.of((major << 5) | information),
    Buffer.from(value.toString(16).padStart(2 * bytes, '0'), 'hex'),
  ])
}

export function bytes(content: Uint8Array): Written {
  return { raw: Buffer.concat([head(majors.bytes, content.length), content]) }
}

export function write(item: Writable): Buffer {
  if (item === null) return Buffer.of(0xf6)
  if (typeof item === 'number')
    return item < 0 ? head(majors.negative, -1 - item) : head(majors.unsigned, item)
  if (typeof item === 'string')
    return Buffer.concat([head(majors.text, Buffer.byteLength(item)), Buffer.from(item)])
  if ('raw' in item) return Buffer.from(item.raw)
  if (item instanceof Map) return map([...(item as ReadonlyMap<number | string, Writable>)])
  const items = item as readonly Writable[]
  return Buffer.concat([head(majors.array, items.length), ...items.map(write)])
}

/** Writes the entries in this order, including duplicate keys. */
export function map(entries: readonly (readonly [Writable, Writable])[]): Buffer {
  return Buffer.concat([
    head(majors.map, entries.length),
    ...entries.flatMap(([key, value]) => [write(key), write(value)]),
  ])
}
