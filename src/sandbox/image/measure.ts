/** Pixels. */
export interface Measure {
  readonly width: number
  readonly height: number
}

/** What a file says of itself: PNG, JPEG or WebP. @returns undefined for another file, or one that is cut off before it tells */
export function measure(bytes: Buffer): Measure | undefined {
  if (bytes.length >= 24 && bytes.subarray(0, 8).toString('hex') === '89504e470d0a1a0a')
    return sane(bytes.readUInt32BE(16), bytes.readUInt32BE(20))
  if (
    bytes.length >= 30 &&
    bytes.toString('latin1', 0, 4) === 'RIFF' &&
    bytes.toString('latin1', 8, 12) === 'WEBP'
  )
    return webp(bytes)
  return bytes.length >= 4 && bytes.readUInt16BE(0) === 0xffd8 ? jpeg(bytes) : undefined
}

function webp(bytes: Buffer): Measure | undefined {
  switch (bytes.toString('latin1', 12, 16)) {
    case 'VP8L':
      return sane((bytes.readUInt32LE(21) & 0x3fff) + 1, ((bytes.readUInt32LE(21) >>> 14) & 0x3fff) + 1)
    case 'VP8X':
      return sane(bytes.readUIntLE(24, 3) + 1, bytes.readUIntLE(27, 3) + 1)
    case 'VP8 ':
      return sane(bytes.readUInt16LE(26) & 0x3fff, bytes.readUInt16LE(28) & 0x3fff)
    default:
      return undefined
  }
}

/** From segment to segment, to the frame's header. */
function jpeg(bytes: Buffer): Measure | undefined {
  for (let at = 2; at + 9 < bytes.length && bytes[at] === 0xff;) {
    const marker = bytes.readUInt8(at + 1)
    if (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker))
      return sane(bytes.readUInt16BE(at + 7), bytes.readUInt16BE(at + 5))
    at += 2 + bytes.readUInt16BE(at + 2)
  }
  return undefined
}

function sane(width: number, height: number): Measure | undefined {
  return width > 0 && height > 0 && width <= 16_384 && height <= 16_384 ? { width, height } : undefined
}
