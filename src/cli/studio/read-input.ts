import { readInput } from '../input-file.ts'
import { unusable } from './at-studio.ts'

/**
 * Reads the text of a file or of standard input. Throws request/invalid if the input is unreadable or isn't
 * UTF-8. @param most bytes
 */
export async function readText(path: string | undefined, most: number): Promise<string> {
  return decoded(await (path === undefined || path === '-' ? readStdin(most) : readNamed(path, most)))
}

function decoded(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw unusable('The text is not valid UTF-8.', 'Save it as UTF-8 text, then try again.')
  }
}

function readNamed(path: string, most: number): Promise<Uint8Array> {
  const tooLarge = unusable(`The file “${path}” is too large.`, 'Split it into smaller files.')
  return readInput(path, most, tooLarge)
}

/** All of standard input. */
export async function readStdin(most: number): Promise<Uint8Array> {
  const pieces: Uint8Array[] = []
  let size = 0
  for await (const piece of process.stdin) {
    const bytes = piece instanceof Uint8Array ? piece : Buffer.from(String(piece))
    size += bytes.byteLength
    if (size > most) throw unusable('Standard input is too large.', 'Split it into smaller parts.')
    pieces.push(bytes)
  }
  return Buffer.concat(pieces)
}
