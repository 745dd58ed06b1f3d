import { SottoError } from '../../../shared/errors.ts'
import { nameFileKind } from '../../../shared/file-kind.ts'
import type { CleanImage } from './clean-image.ts'
import { cleanGif } from './gif.ts'
import { cleanJpeg } from './jpeg.ts'
import { cleanPng } from './png.ts'
import { cleanWebp } from './webp.ts'

export type { CleanImage } from './clean-image.ts'

/**
 * Removes from a JPEG, PNG, WebP or GIF everything except the picture: places, times, devices, serial
 * numbers, previews, comments, names of programs, color profiles (a screen's profile identifies it), and
 * any data after the end. The encoded pixels don't change. The orientation is preserved in a new EXIF
 * record.
 * Pure. Throws attachment/image-kind for another kind of image, and attachment/image-damaged for invalid
 * bytes.
 */
export function removeMetadata(bytes: Uint8Array): CleanImage {
  switch (kindOf(bytes)) {
    case 'jpeg':
      return cleanJpeg(bytes)
    case 'png':
      return cleanPng(bytes)
    case 'webp':
      return cleanWebp(bytes)
    case 'gif':
      return cleanGif(bytes)
    case 'other':
      throw new SottoError('attachment/image-kind', { detail: nameFileKind(bytes, '') })
    case null:
      throw new SottoError('attachment/image-damaged')
  }
}

/** Whether the bytes begin like an image of any known kind, including unsupported ones. */
export function looksLikeImage(bytes: Uint8Array): boolean {
  return kindOf(bytes) !== null
}

/** Brands of ISO/IEC 14496-12 files that contain a picture. */
const PICTURE_BRANDS = new Set([
  'heic',
  'heix',
  'heim',
  'heis',
  'hevc',
  'hevx',
  'mif1',
  'msf1',
  'avif',
  'avis',
  'jxl ',
  'crx ',
])

function kindOf(bytes: Uint8Array): 'jpeg' | 'png' | 'webp' | 'gif' | 'other' | null {
  const start = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, 12)).toString('latin1')
  if (start.startsWith('\xff\xd8\xff')) return 'jpeg'
  if (start.startsWith('\x89PNG\r\n\x1a\n')) return 'png'
  if (start.startsWith('RIFF') && start.slice(8) === 'WEBP') return 'webp'
  if (start.startsWith('GIF87a') || start.startsWith('GIF89a')) return 'gif'
  const picture = start.slice(4, 8) === 'ftyp' && PICTURE_BRANDS.has(start.slice(8))
  // TIFF, Photoshop, JPEG XL and JPEG 2000. A bitmap (BM) is also recognized by its reserved bytes, because
  // a text may begin with the letters.
  const other =
    picture ||
    ['II*\0', 'MM\0*', '8BPS', '\xff\x0a', '\0\0\0\fJXL ', '\0\0\0\fjP  '].some((sign) =>
      start.startsWith(sign),
    ) ||
    (start.startsWith('BM') && start.slice(6, 10) === '\0\0\0\0')
  return other ? 'other' : null
}
