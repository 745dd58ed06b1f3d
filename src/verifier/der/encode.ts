/**
 * Encodes an element in DER (X.690 section 10.1) with at most 65,535 bytes of contents. @param tag a single
 * byte
 */
export function encodeDer(tag: number, ...contents: readonly Uint8Array[]): Buffer {
  const length = contents.reduce((sum, { byteLength }) => sum + byteLength, 0)
  return Buffer.concat([Buffer.of(tag, ...encodeLength(length)), ...contents])
}

function encodeLength(length: number): number[] {
  if (length < 0x80) return [length]
  if (length < 0x100) return [0x81, length]
  return [0x82, length >> 8, length & 0xff]
}
