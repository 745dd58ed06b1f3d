import { SottoError } from '../../../shared/errors.ts'
import type { CsvTable } from '../../../shared/job-rows.ts'

/** The encoding of a text. */
export type TextEncoding = CsvTable['encoding']

/** Detects the encoding by the byte order mark; UTF-8 if there is none. */
export function encodingOf(head: Uint8Array): TextEncoding {
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le'
  return head[0] === 0xfe && head[1] === 0xff ? 'utf-16be' : 'utf-8'
}

/**
 * Decodes piece by piece and removes the byte order mark. Throws studio/text-encoding at the first invalid
 * bytes.
 */
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
  // Refuses binary data that happens to be valid UTF-8, and UTF-16 without a byte order mark.
  if (text.includes('\0')) throw new SottoError('studio/text-encoding')
  return text
}

/**
 * The lines of a text without their line endings, in any convention. Throws studio/text-too-long if a line
 * has more than `longest` characters.
 */
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
