/** In pixels. */
export interface ImageSize {
  readonly width: number
  readonly height: number
}

/** JPEG markers without a segment (ISO/IEC 10918-1, B.1.1.3). */
const BARE = new Set([0x01, 0xd0, 0xd1, 0xd2, 0xd3, 0xd4, 0xd5, 0xd6, 0xd7, 0xd8])
/** Frame markers: all of C0–CF except the tables DHT, JPG and DAC. */
const isFrame = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc

/** Reads the size of an image from the beginning of its bytes; undefined if it isn't there. */
export function readImageSize(bytes: Uint8Array, type: string): ImageSize | undefined {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const size =
    type === 'image/png'
      ? ofPng(view)
      : type === 'image/jpeg'
        ? ofJpeg(view)
        : type === 'image/webp'
          ? ofWebp(view)
          : type === 'image/gif' && view.length >= 10
            ? { width: view.readUInt16LE(6), height: view.readUInt16LE(8) }
            : undefined
  return size && size.width > 0 && size.height > 0 ? size : undefined
}

function ofPng(view: Buffer): ImageSize | undefined {
  return view.length >= 24 && view.toString('latin1', 12, 16) === 'IHDR'
    ? { width: view.readUInt32BE(16), height: view.readUInt32BE(20) }
    : undefined
}

function ofJpeg(view: Buffer): ImageSize | undefined {
  for (let at = 2; at + 4 <= view.length;) {
    if (view[at] !== 0xff) return undefined
    const marker = view.readUInt8(at + 1)
    if (marker === 0xff) at += 1
    else if (BARE.has(marker)) at += 2
    else if (isFrame(marker))
      return at + 9 <= view.length
        ? { height: view.readUInt16BE(at + 5), width: view.readUInt16BE(at + 7) }
        : undefined
    else {
      const length = view.readUInt16BE(at + 2)
      // The scan has begun, or the length of the segment is too short for itself.
      if (marker === 0xda || length < 2) return undefined
      at += 2 + length
    }
  }
  return undefined
}

/** The simple lossy and lossless formats, and the extended one (RFC 9649). */
function ofWebp(view: Buffer): ImageSize | undefined {
  if (view.length < 30) return undefined
  switch (view.toString('latin1', 12, 16)) {
    case 'VP8 ':
      return { width: view.readUInt16LE(26) & 0x3fff, height: view.readUInt16LE(28) & 0x3fff }
    case 'VP8L': {
      const bits = view.readUInt32LE(21)
      return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 }
    }
    case 'VP8X':
      return { width: view.readUIntLE(24, 3) + 1, height: view.readUIntLE(27, 3) + 1 }
    default:
      return undefined
  }
}
