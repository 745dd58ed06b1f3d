import { SottoError } from '../../../shared/errors.ts'
import type { CsvTable } from '../../../shared/job-rows.ts'

/** What text is read in. */
export type TextEncoding = CsvTable['encoding']

/** By the mark at its beginning; UTF-8 where there is none. */
export function encodingOf(head: Uint8Array): TextEncoding {
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le'
  return head[0] === 0xfe && head[1] === 0xff ? 'utf-16be' : 'utf-8'
}

/** Piece by piece, without its mark. Bytes that are no text end it. Throws studio/text-encoding. */
export async function* decodeText(
  content: AsyncIterable<Uint8Array>,
  encoding: TextEncoding,
): AsyncGenerator<string, void> {
  const decoder = new TextDecoder(encoding, { fatal: true })
  for await (const piece of content) yield plain(() => decoder.decode(piece, { stream: true }))
  yield plain(() => decoder.decode())
}

function plain(decode: () => string): string {
  let text: string
  try {
    text = decode()
  } catch (cause) {
    throw new SottoError('studio/text-encoding', { cause })
  }
  // Bytes that happen to be UTF-8, and a UTF-16 file without its mark.
  if (text.includes('\0')) throw new SottoError('studio/text-encoding')
  return text
}

/** The lines of a text without their ends, however those are written. Throws studio/text-too-long where more than `longest` characters come without an end. */
export async function* linesOf(text: AsyncIterable<string>, longest: number): AsyncGenerator<string, void> {
  let rest = ''
  for await (const piece of text) {
    const lines = (rest + piece).split('\n')
    rest = lines.pop() ?? ''
    if (rest.length > longest) throw new SottoError('studio/text-too-long')
    for (const line of lines) yield line.endsWith('\r') ? line.slice(0, -1) : line
  }
  yield rest.endsWith('\r') ? rest.slice(0, -1) : rest
}
