import { readFile, stat } from 'node:fs/promises'
import { unusable } from './at-studio.ts'

/** A text of a file, or of standard input. @param most bytes. Throws request/invalid where it cannot be read or is no UTF-8. */
export async function readText(path: string | undefined, most: number): Promise<string> {
  return decoded(await (path === undefined || path === '-' ? readStdin(most) : readOwn(path, most)))
}

function decoded(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw unusable('It is not text in UTF-8, or parts of it are broken.', 'Open it in the program that it comes from, and save it as text in UTF-8.')
  }
}

async function readOwn(path: string, most: number): Promise<Uint8Array> {
  const found = await stat(path).catch(() => null)
  if (!found?.isFile()) throw unusable(`The file cannot be read: ${path}`, 'Name a file that is there and that you may read.')
  if (found.size > most) throw unusable(`The file is longer than it may be: ${path}`, 'Part it.')
  return readFile(path).catch(() => {
    throw unusable(`The file cannot be read: ${path}`, 'Name a file that you may read.')
  })
}

/** All of standard input. */
export async function readStdin(most: number): Promise<Uint8Array> {
  const pieces: Uint8Array[] = []
  let size = 0
  for await (const piece of process.stdin) {
    const bytes = piece instanceof Uint8Array ? piece : Buffer.from(String(piece))
    size += bytes.byteLength
    if (size > most) throw unusable('Standard input is longer than it may be.', 'Part it.')
    pieces.push(bytes)
  }
  return Buffer.concat(pieces)
}
