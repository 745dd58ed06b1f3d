import { msg, type LocalizedText } from './localized-text.ts'

/** The number of bytes at the start of a file that are enough to recognize its kind. */
export const KIND_BYTES = 4_096

export type FileKind =
  | 'pdf'
  | 'zip'
  | 'ole'
  | 'jpeg'
  | 'png'
  | 'gif'
  | 'webp'
  | 'svg'
  | 'image'
  | 'archive'
  | 'program'
  | 'audio'
  | 'video'
  | 'database'
  | 'font'
  /** Text, or a kind that isn't known here. */
  | 'other'

/** What a file is, by its content. A name decides nothing. */
export interface RecognizedFile {
  readonly kind: FileKind
  /** The name of the format, of an image that isn't JPEG, PNG, WebP or GIF. */
  readonly format?: string
}

type Signature = readonly [at: number, sign: string, kind: FileKind, format?: string]

const SIGNATURES: readonly Signature[] = [
  [0, 'PK\x03\x04', 'zip'],
  [0, 'PK\x05\x06', 'zip'],
  [0, '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1', 'ole'],
  [0, '\xff\xd8\xff', 'jpeg'],
  [0, '\x89PNG\r\n\x1a\n', 'png'],
  [0, 'GIF87a', 'gif'],
  [0, 'GIF89a', 'gif'],
  [8, 'WEBP', 'webp'],
  [0, 'II*\0', 'image', 'TIFF'],
  [0, 'MM\0*', 'image', 'TIFF'],
  [0, 'II+\0', 'image', 'TIFF'],
  [0, 'MM\0+', 'image', 'TIFF'],
  [0, '8BPS\0', 'image', 'Photoshop'],
  [0, '\xff\x0a', 'image', 'JPEG XL'],
  [0, '\0\0\0\fJXL ', 'image', 'JPEG XL'],
  [0, '\0\0\0\fjP  ', 'image', 'JPEG 2000'],
  [0, '\0\0\x01\0', 'image', 'ICO'],
  [0, '\0\0\x02\0', 'image', 'CUR'],
  [0, 'qoif', 'image', 'QOI'],
  [0, '\x1f\x8b', 'archive'],
  [0, 'BZh', 'archive'],
  [0, '\xfd7zXZ\0', 'archive'],
  [0, '7z\xbc\xaf\x27\x1c', 'archive'],
  [0, 'Rar!\x1a\x07', 'archive'],
  [0, '\x28\xb5\x2f\xfd', 'archive'],
  [257, 'ustar', 'archive'],
  [0, 'MSCF\0', 'archive'],
  [0, '\x7fELF', 'program'],
  [0, '\xca\xfe\xba\xbe', 'program'],
  [0, '\xcf\xfa\xed\xfe', 'program'],
  [0, '\xce\xfa\xed\xfe', 'program'],
  [0, '\0asm', 'program'],
  [0, 'ID3', 'audio'],
  [0, 'fLaC', 'audio'],
  [0, 'OggS', 'audio'],
  [8, 'WAVE', 'audio'],
  [0, '\xff\xfb', 'audio'],
  [0, '\xff\xf3', 'audio'],
  [0, 'MThd', 'audio'],
  [8, 'AVI ', 'video'],
  [0, '\x1a\x45\xdf\xa3', 'video'],
  [0, 'FLV\x01', 'video'],
  [0, '\0\0\x01\xba', 'video'],
  [0, 'SQLite format 3\0', 'database'],
  [0, 'PAR1', 'database'],
  [0, '\0\x01\0\0Standard', 'database'],
  [0, 'wOFF', 'font'],
  [0, 'wOF2', 'font'],
  [0, 'OTTO', 'font'],
  [0, '\0\x01\0\0\0', 'font'],
]

/** Brands of ISO/IEC 14496-12 files, by their first letters. */
const BRANDS: readonly (readonly [start: RegExp, kind: FileKind, format?: string])[] = [
  [/^(?:hei[cxms]|hev[cx])/, 'image', 'HEIC'],
  [/^avi[fs]/, 'image', 'AVIF'],
  [/^m[is]f1/, 'image', 'HEIF'],
  [/^jxl /, 'image', 'JPEG XL'],
  [/^crx /, 'image', 'Canon RAW'],
  [/^M4[AB]/, 'audio'],
]

/**
 * Recognizes a file by its content.
 *
 * @param start the first `KIND_BYTES` bytes, or fewer. An attacker controls them
 */
export function recognizeFile(start: Uint8Array): RecognizedFile {
  const text = new TextDecoder('latin1').decode(start.subarray(0, KIND_BYTES))
  const latin = Array.from(start.subarray(0, 512), (byte) => String.fromCharCode(byte)).join('')
  // As other programs do: the signature of a PDF may be a little behind the beginning.
  if (text.slice(0, 1_024).includes('%PDF-')) return { kind: 'pdf' }
  for (const [at, sign, kind, format] of SIGNATURES)
    if (latin.startsWith(sign, at) && (at !== 8 || latin.startsWith('RIFF')))
      return { kind, ...(format !== undefined && { format }) }
  return recognizeParts(latin, start) ?? (isSvg(text) ? { kind: 'svg' } : { kind: 'other' })
}

function recognizeParts(latin: string, start: Uint8Array): RecognizedFile | null {
  if (latin.startsWith('ftyp', 4)) {
    const [, kind = 'video', format] = BRANDS.find(([brand]) => brand.test(latin.slice(8, 12))) ?? []
    return { kind, ...(format !== undefined && { format }) }
  }
  // A text may begin with these letters, so the bytes behind them count too.
  if (latin.startsWith('BM') && latin.slice(6, 10) === '\0\0\0\0') return { kind: 'image', format: 'BMP' }
  if (/^P[1-6]\s(?:#[^\n]{0,200}\n\s{0,9})?\d{1,6}\s+\d{1,6}\s/.test(latin))
    return { kind: 'image', format: 'Netpbm' }
  if (latin.startsWith('MZ') && start.includes(0)) return { kind: 'program' }
  return null
}

function isSvg(text: string): boolean {
  return /^(?:\u00ef\u00bb\u00bf)?\s{0,99}(?:<\?xml[^>]{0,200}>\s{0,99})?(?:<!--[^>]{0,1000}-->\s{0,99})?(?:<!DOCTYPE svg[^>]{0,300}>\s{0,99})?<svg[\s>]/.test(
    text,
  )
}

/** The streams by which Office programs of before 2007 and Outlook are known, in UTF-16. */
const STREAMS: readonly (readonly [name: string, ending: RegExp, says: LocalizedText])[] = [
  ['EncryptedPackage', /(?!)/, msg('This is a password-protected Office document.')],
  ['WordDocument', /\.(?:doc|dot)$/i, msg('This is a Word 97–2003 document.')],
  ['Workbook', /\.(?:xls|xlt)$/i, msg('This is an Excel 97–2003 workbook.')],
  ['PowerPoint Document', /\.(?:ppt|pps)$/i, msg('This is a PowerPoint 97–2003 presentation.')],
  ['__properties_version1.0', /\.msg$/i, msg('This is an Outlook message.')],
]

/**
 * One sentence that names the kind of a file that can't be read. It names only what the content shows.
 *
 * @param content the file, or its beginning
 * @param name names the program of an Office file whose streams don't
 * @returns empty if the kind isn't known
 */
export function nameFileKind(content: Uint8Array, name: string): LocalizedText {
  const { kind, format } = recognizeFile(content)
  switch (kind) {
    case 'ole': {
      const latin = new TextDecoder('utf-16le').decode(content.subarray(0, content.length & ~1))
      const known =
        STREAMS.find(([stream]) => latin.includes(stream)) ?? STREAMS.find(([, ending]) => ending.test(name))
      return known?.[2] ?? msg('This is a file of an Office version before 2007.')
    }
    case 'zip':
    case 'archive':
      return msg('This is an archive.')
    case 'program':
      return msg('This is a program.')
    case 'audio':
      return msg('This is an audio file.')
    case 'video':
      return msg('This is a video.')
    case 'database':
      return msg('This is a database.')
    case 'font':
      return msg('This is a font.')
    case 'image':
      return msg('This image is in {format} format.', { format: format ?? '' })
    default:
      return []
  }
}

/** What an OpenDocument file is whose content is encrypted. */
export const PROTECTED_DOCUMENT = msg('This is a password-protected document.')

/** What an archive is that another program packed in a way that isn't read. */
export const UNKNOWN_COMPRESSION = msg('This archive uses an unknown compression method.')

/**
 * One sentence that names an archive that isn't a document of a kind that is read.
 *
 * @param names of its entries. An attacker controls them
 */
export function nameArchive(names: readonly string[]): LocalizedText {
  if (names.some((name) => /(?:^|\/)(?:Document\.iwa|Index\.zip|index\.apxl)$/.test(name)))
    return msg('This is an Apple iWork document.')
  return names.includes('xl/workbook.bin')
    ? msg('This is a binary Excel workbook.')
    : msg('This is an archive.')
}
