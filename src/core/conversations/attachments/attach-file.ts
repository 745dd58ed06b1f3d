import type { Attachment } from '../../../shared/attachment.ts'
import { MAX_IMAGE_BYTES, MAX_TEXT_BYTES } from '../../../shared/attachment-limits.ts'
import { cleanFileName } from '../../../shared/display-name.ts'
import { SottoError } from '../../../shared/errors.ts'
import { nameFileKind } from '../../../shared/file-kind.ts'
import { readImageSize } from '../../../shared/image-size/read-image-size.ts'
import { isDecodable } from '../../../shared/image-size/size.ts'
import { decodeText } from '../../../shared/text-encoding/decode-text.ts'
import { textTokens } from '../../../shared/token-estimate.ts'
import { looksLikeImage, removeMetadata } from '../image-metadata/index.ts'

export interface GivenFile {
  readonly name: string
  readonly type: string
  readonly content: Uint8Array
  /** The number of pages of a PDF, whose extracted text is the content. */
  readonly pages?: number | undefined
}

export interface TakenFile {
  readonly about: Omit<Attachment, 'id' | 'bytes'>
  readonly content: Uint8Array
}

/**
 * Converts a file to the form that is stored: content that a model can read, without hidden metadata.
 * Throws attachment/….
 */
export function importItems({ name, type, content, pages }: GivenFile): TakenFile {
  if (content.length === 0) throw new SottoError('attachment/empty')
  const named = cleanFileName(name)
  if (pages === undefined && looksLikeImage(content)) {
    if (content.length > MAX_IMAGE_BYTES) throw new SottoError('attachment/too-large')
    const size = readImageSize(content)
    if (size && !isDecodable(size)) throw new SottoError('attachment/too-many-pixels')
    const { bytes, type: kind, width, height } = removeMetadata(content)
    return { about: { name: named, kind: 'image', type: kind, width, height }, content: bytes }
  }
  // The declared type is an image, so the file isn't stored as text, whatever its content.
  if (pages === undefined && /^image\/(?!svg)/.test(type)) throw new SottoError('attachment/image-damaged')
  if (content.length > 2 * MAX_TEXT_BYTES) throw new SottoError('attachment/too-large')
  const text = isPdf(content) ? undefined : decodeText(content)?.text
  if (text === undefined) throw new SottoError('attachment/binary', { detail: nameFileKind(content, name) })
  const bytes = Buffer.from(text)
  if (bytes.length > MAX_TEXT_BYTES) throw new SottoError('attachment/too-large')
  if (text.trim() === '') throw new SottoError('attachment/empty')
  const tokens = textTokens(text)
  const about =
    pages === undefined
      ? { name: named, kind: 'text' as const, type: 'text/plain', tokens }
      : { name: named, kind: 'pdf' as const, type: 'application/pdf', tokens, pages }
  return { about, content: bytes }
}

function isPdf(content: Uint8Array): boolean {
  return Buffer.from(content.subarray(0, 5)).toString('latin1') === '%PDF-'
}
