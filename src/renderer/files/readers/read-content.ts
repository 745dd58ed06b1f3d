import { nameFileKind, recognizeFile } from '../../../shared/file-kind.ts'
import { decodeChosen, decodeText, type DecodedText } from '../../../shared/text-encoding/decode-text.ts'
import { MarkupTooDeep } from '../../../shared/markup/scan-markup.ts'
import { readDocument } from './read-document.ts'
import { isMail, readMail } from './read-mail.ts'
import { readNotebook } from './read-notebook.ts'
import { readRichText } from './read-rich-text.ts'
import { UnreadableFile } from './unreadable-file.ts'

/** What a person should know about how a text was decoded. */
export type EncodingFacts = Pick<DecodedText, 'encoding' | 'sure' | 'others' | 'repaired'>

export interface ReadContent {
  readonly text: string
  /** Absent of a document, which names its encoding itself. */
  readonly encoding?: EncodingFacts
}

/**
 * The text of a file that isn't a PDF or an image, judged by its content.
 *
 * @param chosen the encoding that a person chose instead of the recognized one
 * @throws {UnreadableFile} attachment/…
 */
export function readContent(bytes: Uint8Array, name: string, chosen?: string): ReadContent {
  try {
    return readKind(bytes, name, chosen)
  } catch (thrown) {
    throw thrown instanceof MarkupTooDeep ? new UnreadableFile('attachment/document-damaged') : thrown
  }
}

function readKind(bytes: Uint8Array, name: string, chosen?: string): ReadContent {
  const { kind } = recognizeFile(bytes)
  if (kind === 'zip') return { text: readDocument(bytes) }
  if (kind === 'ole') throw new UnreadableFile('attachment/binary', nameFileKind(bytes, name))
  const decoded = decodeText(bytes)
  if (chosen !== undefined) {
    const others = [decoded?.encoding ?? 'utf-8', ...(decoded?.others ?? [])].filter(
      (other) => other !== chosen,
    )
    return { text: decodeChosen(bytes, chosen), encoding: { encoding: chosen, sure: true, others } }
  }
  if (!decoded) throw new UnreadableFile('attachment/binary', nameFileKind(bytes, name))
  const { text, ...encoding } = decoded
  const layout = withoutLayout(bytes, text, name)
  return layout === null ? { text, encoding } : { text: layout }
}

/** The words of a format that is text itself, or null if this is plain text. */
function withoutLayout(bytes: Uint8Array, text: string, name: string): string | null {
  if (text.startsWith('{\\rtf')) return readRichText(text)
  if (isMail(text, name)) return readMail(bytes)
  return readNotebook(text)
}
