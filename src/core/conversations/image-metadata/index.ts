import { SottoError } from '../../../shared/errors.ts'
import { nameFileKind } from '../../../shared/file-kind.ts'
import type { CleanImage } from './clean-image.ts'
import { cleanGif } from './gif.ts'
import { cleanJpeg } from './jpeg.ts'
import { cleanPng } from './png.ts'
import { cleanWebp } from './webp.ts'

export type { CleanImage } from './clean-image.ts'

/**
 * A JPEG, PNG, WebP or GIF without what is said in it beside the picture: places, times, devices, serial numbers, previews,
 * comments, names of programs, colour profiles (those of screens name the very screen), and whatever stands behind its end. The coded pixels stay byte
 * for byte. How the picture is turned stays too: alone, in an EXIF record written anew.
 * Pure. Throws attachment/image-kind for another kind of image, attachment/image-damaged for bytes that are none.
 */
export function strip(bytes: Uint8Array): CleanImage {
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

/** Whether these bytes begin as an image of any kind that is known, also one that is not taken. */
export function looksLikeImage(bytes: Uint8Array): boolean {
  return kindOf(bytes) !== null
}

/** Brands of ISO/IEC 14496-12 files that hold a picture. */
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
  // TIFF, Photoshop, JPEG XL and JPEG 2000. A bitmap (BM) is told by its reserved bytes too: text may begin with the letters.
  const other =
    picture ||
    ['II*\0', 'MM\0*', '8BPS', '\xff\x0a', '\0\0\0\fJXL ', '\0\0\0\fjP  '].some((sign) =>
      start.startsWith(sign),
    ) ||
    (start.startsWith('BM') && start.slice(6, 10) === '\0\0\0\0')
  return other ? 'other' : null
}
