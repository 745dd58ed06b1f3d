import { readFile, stat } from 'node:fs/promises'
import { unusable } from './at-studio.ts'

/**
 * Reads the text of a file or of standard input. Throws request/invalid if the input is unreadable or isn't
 * UTF-8. @param most bytes
 */
export async function readText(path: string | undefined, most: number): Promise<string> {
  return decoded(await (path === undefined || path === '-' ? readStdin(most) : readOwn(path, most)))
}

function decoded(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw unusable('The text is not valid UTF-8.', 'Save it as UTF-8 text, then try again.')
  }
}

async function readOwn(path: string, most: number): Promise<Uint8Array> {
  const found = await stat(path).catch(() => null)
  if (!found?.isFile()) throw unusable(`Couldn’t read “${path}”.`, 'Check the path and your permissions.')
  if (found.size > most) throw unusable(`The file “${path}” is too large.`, 'Split it into smaller files.')
  return readFile(path).catch(() => {
    throw unusable(`Couldn’t read “${path}”.`, 'Check your permissions.')
  })
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
