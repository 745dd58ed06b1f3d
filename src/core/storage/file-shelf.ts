import { closeSync, existsSync, fsyncSync, openSync, readdirSync, rmSync, writeSync } from 'node:fs'
import { mkdir, open, rename, rm, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import { SottoError } from '../../shared/errors.ts'
import { giveBack } from '../../shared/byte-buffer.ts'
import { msg } from '../../shared/localized-text.ts'
import { makeFolder, syncFolder } from './database-file.ts'

const ENDING = '.sealed'
const UNFINISHED = '.part'
const PIECE_BYTES = 256 * 1024

/** Stores sealed bytes under a name, completely or not at all. */
export interface FileShelf {
  /**
   * Takes ownership of the pieces: no other code may use them. Returns once they are durable, also after a
   * power failure. Throws store/unwritable, and the errors of the pieces.
   */
  write(name: string, pieces: AsyncIterable<Uint8Array>): Promise<void>
  /**
   * Reads from this byte on. Each piece is valid until the next is requested. Throws store/damaged if the
   * name doesn't exist.
   */
  read(name: string, from?: number): AsyncIterable<Uint8Array>
  remove(name: string): Promise<void>
}

/** A shelf in memory that can move to a folder. */
export interface MemoryShelf extends FileShelf {
  /**
   * Copies everything to the folder. After `use`, the shelf uses only the folder; `discard` deletes the
   * copy. Throws store/unwritable.
   */
  copyTo(folder: string): { use(): void; discard(): void }
}

/**
 * Stores files in a separate folder. Removes files that aren't in `named`, because a process ended before
 * it completed them. Methods throw store/damaged, store/unwritable.
 */
export function createFolderShelf(folder: string, named: ReadonlySet<string>): FileShelf {
  if (existsSync(folder)) {
    for (const file of readdirSync(folder)) {
      if (file.endsWith(UNFINISHED) || (file.endsWith(ENDING) && !named.has(file.slice(0, -ENDING.length))))
        rmSync(join(folder, file), { force: true })
    }
  }
  const pathOf = (name: string) => join(folder, `${name}${ENDING}`)
  return {
    async write(name, pieces) {
      const partial = join(folder, `${name}${UNFINISHED}`)
      let file: FileHandle | undefined
      try {
        await unwritable(mkdir(folder, { recursive: true, mode: 0o700 }))
        file = await unwritable(open(partial, 'wx', 0o600))
        for await (const piece of pieces) {
          await unwritable(file.writeFile(piece))
          giveBack(piece)
        }
        await unwritable(file.sync())
        await unwritable(file.close())
        file = undefined
        await unwritable(rename(partial, pathOf(name)))
        await unwritable(Promise.resolve().then(() => syncFolder(folder)))
      } catch (thrown) {
        await file?.close().catch(() => undefined)
        await rm(partial, { force: true }).catch(() => undefined)
        await rm(pathOf(name), { force: true }).catch(() => undefined)
        throw thrown
      }
    },
    async *read(name, from = 0) {
      let file: FileHandle | undefined
      try {
        file = await open(pathOf(name), 'r')
        const piece = Buffer.allocUnsafeSlow(PIECE_BYTES)
        for (let at = from; ;) {
          const { bytesRead } = await file.read(piece, 0, PIECE_BYTES, at)
          if (bytesRead === 0) return
          at += bytesRead
          yield piece.subarray(0, bytesRead)
        }
      } catch (cause) {
        throw cause instanceof SottoError
          ? cause
          : new SottoError('store/damaged', { detail: msg('An encrypted file is missing.'), cause })
      } finally {
        await file?.close().catch(() => undefined)
      }
    },
    async remove(name) {
      await rm(pathOf(name), { force: true }).catch(() => undefined)
    },
  }
}

/**
 * Stores sealed bytes in memory. As in a folder, a write that resolved is complete. A write during a move
 * to a folder goes to the folder.
 */
export function createMemoryShelf(): MemoryShelf {
  const files = new Map<string, readonly Uint8Array[]>()
  let moved: FileShelf | null = null
  const folderShelf = () => moved
  return {
    async write(name, pieces) {
      const before = folderShelf()
      if (before) return before.write(name, pieces)
      const written = await collected(pieces)
      // The shelf may have moved while the pieces arrived.
      const after = folderShelf()
      if (after) await after.write(name, inOrder(written))
      else files.set(name, written)
    },
    async *read(name, from = 0) {
      const after = folderShelf()
      const written = after ? after.read(name, from) : behind(files.get(name), from)
      if (!written) throw new SottoError('store/damaged', { detail: msg('An encrypted file is missing.') })
      yield* written
    },
    async remove(name) {
      files.delete(name)
      await moved?.remove(name)
    },
    copyTo(folder) {
      const copied = [...files.keys()]
      const discard = () => copied.forEach((name) => removeQuietly(join(folder, `${name}${ENDING}`)))
      try {
        if (copied.length > 0) makeFolder(folder)
        for (const [name, pieces] of files) writeWhole(join(folder, `${name}${ENDING}`), pieces)
        if (copied.length > 0) syncFolder(folder)
      } catch (cause) {
        discard()
        throw new SottoError('store/unwritable', { cause })
      }
      return {
        discard,
        use() {
          moved = createFolderShelf(folder, new Set(copied))
          files.clear()
        },
      }
    },
  }
}

/** The pieces from this byte on. */
function behind(pieces: readonly Uint8Array[] | undefined, from: number): readonly Uint8Array[] | undefined {
  let before = 0
  return pieces?.flatMap((piece) => {
    const skipped = Math.max(0, from - before)
    before += piece.byteLength
    return skipped < piece.byteLength ? [piece.subarray(skipped)] : []
  })
}

/** Reads all pieces into memory. */
export async function collected(pieces: AsyncIterable<Uint8Array>): Promise<Uint8Array[]> {
  const all: Uint8Array[] = []
  for await (const piece of pieces) all.push(piece)
  return all
}

async function* inOrder(pieces: readonly Uint8Array[]): AsyncGenerator<Uint8Array, void> {
  await Promise.resolve()
  yield* pieces
}

/** If this fails, the next start removes the file, because it isn't named. */
function removeQuietly(path: string): void {
  try {
    rmSync(path, { force: true })
  } catch {
    // The file doesn't exist or can't be removed.
  }
}

function writeWhole(path: string, pieces: readonly Uint8Array[]): void {
  const file = openSync(path, 'w', 0o600)
  try {
    for (const piece of pieces) {
      for (let at = 0; at < piece.length;) at += writeSync(file, piece, at)
    }
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}

async function unwritable<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (cause) {
    throw new SottoError('store/unwritable', { cause })
  }
}
