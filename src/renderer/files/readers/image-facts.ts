import { orientationIn } from '../../../shared/exif-orientation.ts'

/** Of an image that isn't JPEG, PNG, WebP or GIF, what a browser may read. */
export type ImageKind = 'jpeg' | 'png' | 'gif' | 'webp' | 'image'

/** How far into a file its first metadata may be. In bytes. */
const METADATA_BYTES = 500_000

const signOf = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0))

function indexOf(bytes: Uint8Array, sign: Uint8Array, most = METADATA_BYTES): number {
  const [first = 0] = sign
  const end = Math.min(bytes.length, most)
  for (let at = bytes.indexOf(first); at !== -1 && at < end; at = bytes.indexOf(first, at + 1))
    if (sign.every((byte, index) => bytes[at + index] === byte)) return at
  return -1
}

/**
 * Whether a browser turns the image when it shows it. A model doesn't, so the pixels must be turned.
 *
 * @param bytes from anywhere
 */
export function isTurned(bytes: Uint8Array, kind: ImageKind): boolean {
  const exif = indexOf(bytes, signOf('Exif\0\0'))
  if (exif !== -1) return orientationIn(bytes.subarray(exif + 6)) !== 1
  if (kind === 'jpeg') return false
  const chunk = indexOf(bytes, signOf(kind === 'png' ? 'eXIf' : 'EXIF'), bytes.length)
  // A PNG's chunk has its length before its name, a WebP's behind it.
  return chunk !== -1 && orientationIn(bytes.subarray(chunk + (kind === 'png' ? 4 : 8))) !== 1
}

/** Whether an image has more than one frame. */
export function isAnimated(bytes: Uint8Array, kind: ImageKind): boolean {
  if (kind === 'gif') return countGifFrames(bytes) > 1
  if (kind === 'png') return indexOf(bytes, signOf('acTL')) !== -1
  return kind === 'webp' && indexOf(bytes.subarray(0, 100), signOf('ANIM')) !== -1
}

/** GIF89a specification, sections 18 to 27. Stops at the second frame. */
function countGifFrames(bytes: Uint8Array): number {
  const tableSize = (flags: number) => ((flags & 0x80) === 0 ? 0 : 3 * 2 ** ((flags & 7) + 1))
  const skipBlocks = (from: number) => {
    let at = from
    while (at < bytes.length && bytes[at] !== 0) at += (bytes[at] ?? 0) + 1
    return at + 1
  }
  let frames = 0
  let at = 13 + tableSize(bytes[10] ?? 0)
  while (at < bytes.length && frames < 2) {
    if (bytes[at] === 0x2c) {
      frames += 1
      at = skipBlocks(at + 11 + tableSize(bytes[at + 9] ?? 0))
    } else if (bytes[at] === 0x21) at = skipBlocks(at + 2)
    else break
  }
  return frames
}
