import { constants, createReadStream } from 'node:fs'
import { access, readFile, stat } from 'node:fs/promises'
import { CommandFailure } from './client.ts'

/** A file that a person named can't be read. */
function unreadable(path: string): CommandFailure {
  return new CommandFailure({
    code: 'request/invalid',
    says: `Couldn’t read “${path}”.`,
    remedy: 'Check the path and your permissions.',
  })
}

/**
 * The size of a file that a person named, in bytes. A pipe has none, and is how a shell passes the output of a command.
 * Throws request/invalid for a folder and for what can't be read, so that nothing begins with such a file.
 */
export async function sizeOfInput(path: string): Promise<number> {
  try {
    const found = await stat(path)
    await access(path, constants.R_OK)
    if (found.isFile() || found.isFIFO()) return found.size
  } catch {
    // The failure is the same as for a folder.
  }
  throw unreadable(path)
}

/** Reads a whole file that a person named. Throws request/invalid, and `tooLarge` above `most` bytes. */
export async function readInput(
  path: string,
  most: number,
  tooLarge: CommandFailure,
): Promise<Uint8Array<ArrayBuffer>> {
  if ((await sizeOfInput(path)) > most) throw tooLarge
  const content = await readFile(path).catch(() => {
    throw unreadable(path)
  })
  if (content.byteLength > most) throw tooLarge
  return Uint8Array.from(content)
}

/** Reads a file that a person named in pieces. Throws request/invalid, or what the signal throws. */
export async function* readPieces(
  path: string,
  signal: AbortSignal,
  pieceBytes?: number,
): AsyncGenerator<Uint8Array, void> {
  try {
    for await (const piece of createReadStream(path, { signal, highWaterMark: pieceBytes }))
      if (piece instanceof Uint8Array) yield piece
  } catch (cause) {
    throw signal.aborted ? cause : unreadable(path)
  }
}
