import { isoMediaSize } from './iso-media.ts'
import { ByteView, enclosing, type PixelSize } from './size.ts'
import { tiffSize } from './tiff.ts'

/** Blocks of a GIF and pictures of an icon that are looked at. */
const MAX_PARTS = 100_000

/**
 * Reads from its headers how many pixels an image has when it's decoded. Nothing is decoded. If a file states several sizes, the
 * result contains all of them.
 *
 * @param bytes the file, or its beginning: sizes after its end aren't in the result. An attacker controls them
 * @returns undefined if the format isn't PNG, JPEG, GIF, WebP, AVIF, HEIC, TIFF, BMP or ICO, or states no size
 */
export function readImageSize(bytes: Uint8Array): PixelSize | undefined {
  const view = new ByteView(bytes)
  const start = view.text(0, 12)
  if (start.startsWith('\x89PNG\r\n\x1a\n')) return pngSize(view, 0)
  if (start.startsWith('\xff\xd8')) return jpegSize(view)
  if (start.startsWith('GIF8')) return gifSize(view)
  if (start.startsWith('RIFF') && start.endsWith('WEBP')) return webpSize(view)
  if (start.startsWith('ftyp', 4)) return isoMediaSize(view)
  if (/^(?:II[*+]\0|MM\0[*+])/.test(start)) return tiffSize(view)
  if (start.startsWith('BM')) return bitmapSize(view, 14)
  if (start.startsWith('\0\0\x01\0') || start.startsWith('\0\0\x02\0')) return iconSize(view)
  return undefined
}

/** The header is the first chunk (PNG specification, section 11.2.1). */
function pngSize(view: ByteView, from: number): PixelSize | undefined {
  if (view.text(from + 12, 4) !== 'IHDR') return undefined
  return enclosing([{ width: view.u32(from + 16), height: view.u32(from + 20) }])
}

/** All frames before the first scan (ITU-T T.81, B.2.2). Decoders skip bytes between segments, so they are skipped here too. */
function jpegSize(view: ByteView): PixelSize | undefined {
  const sizes: PixelSize[] = []
  for (let at = 2; at + 4 <= view.length;) {
    const marker = view.u8(at + 1)
    if (view.u8(at) !== 0xff || marker === 0 || marker === 0xff) at += 1
    else if (marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8)) at += 2
    else if (marker === 0xda || marker === 0xd9) break
    else {
      const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)
      // A height of 0 is stated behind the scan: at most this many lines.
      if (isFrame) sizes.push({ height: view.u16(at + 5) || 0xff_ff, width: view.u16(at + 7) })
      at += 2 + Math.max(2, view.u16(at + 2))
    }
  }
  return enclosing(sizes)
}

/** The screen and all frames, because a frame may be larger than the screen (GIF89a specification, sections 18 and 20). */
function gifSize(view: ByteView): PixelSize | undefined {
  const tableSize = (flags: number) => ((flags & 0x80) === 0 ? 0 : 3 * 2 ** ((flags & 7) + 1))
  const sizes: PixelSize[] = [{ width: view.u16(6, true), height: view.u16(8, true) }]
  let at = 13 + tableSize(view.u8(10))
  const skipBlocks = () => {
    for (let size = view.u8(at); size !== 0; size = view.u8(at)) at += size + 1
    at += 1
  }
  for (let part = 0; part < MAX_PARTS && at < view.length; part += 1) {
    const sign = view.u8(at)
    if (sign === 0x2c) {
      const [left, top] = [view.u16(at + 1, true), view.u16(at + 3, true)]
      sizes.push({ width: left + view.u16(at + 5, true), height: top + view.u16(at + 7, true) })
      at += 11 + tableSize(view.u8(at + 9))
    } else if (sign === 0x21) at += 2
    else break
    skipBlocks()
  }
  return enclosing(sizes)
}

/** The canvas, and the first frame of either coding (RFC 9649, sections 2.5 to 2.7). */
function webpSize(view: ByteView): PixelSize | undefined {
  const sizes: PixelSize[] = []
  let at = 12
  for (let part = 0; part < MAX_PARTS && at + 8 <= view.length; part += 1) {
    const name = view.text(at, 4)
    const content = at + 8
    // The sizes are stored minus one, so a missing one would be 1.
    const contains = (length: number) => content + length <= view.length
    if (name === 'VP8X' && contains(10))
      sizes.push({ width: view.u24(content + 4) + 1, height: view.u24(content + 7) + 1 })
    if (name === 'ANMF' && contains(12))
      sizes.push({ width: view.u24(content + 6) + 1, height: view.u24(content + 9) + 1 })
    if (name === 'VP8L' && contains(5)) {
      const bits = view.u32(content + 1, true)
      sizes.push({ width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 })
    }
    if (name === 'VP8 ')
      sizes.push({
        width: view.u16(content + 6, true) & 0x3fff,
        height: view.u16(content + 8, true) & 0x3fff,
      })
    const length = view.u32(at + 4, true)
    at = content + length + (length % 2)
  }
  return enclosing(sizes)
}

/** A negative height means that the rows begin at the top. */
function bitmapSize(view: ByteView, from: number): PixelSize | undefined {
  if (view.u32(from, true) === 12)
    return enclosing([{ width: view.u16(from + 4, true), height: view.u16(from + 6, true) }])
  return enclosing([{ width: Math.abs(view.i32(from + 4)), height: Math.abs(view.i32(from + 8)) }])
}

/** The pictures inside state their sizes themselves, and the directory's may be wrong. */
function iconSize(view: ByteView): PixelSize | undefined {
  const sizes: (PixelSize | undefined)[] = []
  for (let index = 0; index < Math.min(view.u16(4, true), MAX_PARTS); index += 1) {
    const at = view.u32(6 + index * 16 + 12, true)
    sizes.push(view.text(at, 4) === '\x89PNG' ? pngSize(view, at) : bitmapSize(view, at))
  }
  return enclosing(sizes.filter((size) => size !== undefined))
}
