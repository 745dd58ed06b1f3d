/** A small DER writer (X.690) for certificates, which can write any field incorrectly on purpose. */

const tags = {
  integer: 0x02,
  bitString: 0x03,
  octetString: 0x04,
  null: 0x05,
  oid: 0x06,
  enumerated: 0x0a,
  utf8String: 0x0c,
  printableString: 0x13,
  ia5String: 0x16,
  utcTime: 0x17,
  generalizedTime: 0x18,
  sequence: 0x30,
  set: 0x31,
} as const

function length(count: number): Buffer {
  if (count < 0x80) return Buffer.of(count)
  const bytes: number[] = []
  for (let rest = count; rest > 0; rest = Math.floor(rest / 256)) bytes.unshift(rest % 256)
  return Buffer.of(0x80 | bytes.length, ...bytes)
}

export function tlv(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(parts)
  return Buffer.concat([Buffer.of(tag), length(content.length), content])
}

export function sequence(...parts: readonly Uint8Array[]): Buffer {
  return tlv(tags.sequence, ...parts)
}

export function set(...parts: readonly Uint8Array[]): Buffer {
  return tlv(tags.set, ...parts)
}

/** Context-specific and constructed: EXPLICIT [number]. */
export function explicit(number: number, ...parts: readonly Uint8Array[]): Buffer {
  return tlv(0xa0 | number, ...parts)
}

/** A number, or the big-endian bytes of an unsigned integer. */
export function integer(value: number | Uint8Array): Buffer {
  const hex = typeof value === 'number' ? value.toString(16) : Buffer.from(value).toString('hex')
  const shortest = hex.replace(/^0+(?=.)/, '')
  const bytes = Buffer.from(shortest.length % 2 === 0 ? shortest : `0${shortest}`, 'hex')
  return tlv(tags.integer, (bytes[0] ?? 0) >= 0x80 ? Buffer.concat([Buffer.of(0), bytes]) : bytes)
}

/** @param value below 128 */
export function enumerated(value: number): Buffer {
  return tlv(tags.enumerated, Buffer.of(value))
}

export function boolean(value: boolean): Buffer {
  return tlv(0x01, Buffer.of(value ? 0xff : 0))
}

export function nul(): Buffer {
  return tlv(tags.null)
}

export function oid(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number)
  const bytes: number[] = []
  for (const arc of [first * 40 + second, ...rest]) {
    const base128 = [arc % 128]
    for (let high = Math.floor(arc / 128); high > 0; high = Math.floor(high / 128))
      base128.unshift(0x80 | (high % 128))
    bytes.push(...base128)
  }
  return tlv(tags.oid, Buffer.from(bytes))
}

export function octetString(...parts: readonly Uint8Array[]): Buffer {
  return tlv(tags.octetString, ...parts)
}

/** @param unused bits of the last byte that carry nothing */
export function bitString(bytes: Uint8Array, unused = 0): Buffer {
  return tlv(tags.bitString, Buffer.of(unused), bytes)
}

export function utf8String(text: string): Buffer {
  return tlv(tags.utf8String, Buffer.from(text))
}

export function printableString(text: string): Buffer {
  return tlv(tags.printableString, Buffer.from(text, 'latin1'))
}

export function ia5String(text: string): Buffer {
  return tlv(tags.ia5String, Buffer.from(text, 'latin1'))
}

/** RFC 5280 section 4.1.2.5: UTCTime through 2049, GeneralizedTime from then on. @param at Unix ms, cut to the second */
export function time(at: number): Buffer {
  const digits = new Date(at).toISOString().replace(/[-:T]/g, '').slice(0, 14)
  return Number(digits.slice(0, 4)) < 2050
    ? tlv(tags.utcTime, Buffer.from(`${digits.slice(2)}Z`))
    : tlv(tags.generalizedTime, Buffer.from(`${digits}Z`))
}
