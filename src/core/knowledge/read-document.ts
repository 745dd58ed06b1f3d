import { MAX_TEXT_BYTES } from '../../shared/attachment-limits.ts'
import { cleanFileName } from '../../shared/display-name.ts'
import { SottoError } from '../../shared/errors.ts'
import { nameFileKind } from '../../shared/file-kind.ts'
import { decodeText } from '../../shared/text-encoding/decode-text.ts'
import type { DocumentForm } from './passages.ts'

/** A file in the form in which the window's readers deliver it: the text of a document, or of a PDF with the marks of its pages. */
export interface DocumentFile {
  readonly name: string
  readonly content: Uint8Array
  /** Of a PDF. */
  readonly pages?: number | undefined
}

export interface ReadDocument {
  readonly name: string
  readonly text: string
  /** Of the text, in UTF-8. */
  readonly bytes: number
  readonly form: DocumentForm
}

/** Kinds of files that have Markdown headings, or whose reader writes them. In other files `#` may begin a comment. */
const MARKDOWN = /\.(?:md|markdown|mdx|docx|docm|odt|fodt|rtf|epub|ipynb|html?)$/i

/**
 * Reads the text of a file. Pictures and other binary files are refused.
 * @throws {SottoError} attachment/empty, attachment/too-large, attachment/binary
 */
export function readDocument({ name, content, pages }: DocumentFile): ReadDocument {
  if (content.length === 0) throw new SottoError('attachment/empty')
  if (content.length > 2 * MAX_TEXT_BYTES) throw new SottoError('attachment/too-large')
  const text = decodeText(content)?.text
  if (text === undefined || text.startsWith('%PDF-'))
    throw new SottoError('attachment/binary', { detail: nameFileKind(content, name) })
  const bytes = Buffer.byteLength(text)
  if (bytes > MAX_TEXT_BYTES) throw new SottoError('attachment/too-large')
  if (text.trim() === '') throw new SottoError('attachment/empty')
  return {
    name: cleanFileName(name),
    text,
    bytes,
    form: { pages, markdown: pages === undefined && MARKDOWN.test(name) },
  }
}
