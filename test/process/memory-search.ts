import { open, readFile, type FileHandle } from 'node:fs/promises'
import type { SottoProcess } from './sotto-process.ts'

/** No text that is searched is longer. */
const OVERLAP = 1024

/**
 * The names of those texts and bytes that are anywhere in the process's memory, used or freed. Linux only. V8 saves a
 * text of Latin letters as these bytes.
 */
export async function findInMemory(
  { child: { pid } }: SottoProcess,
  needles: Readonly<Record<string, Buffer | string>>,
): Promise<string[]> {
  const memory = await open(`/proc/${String(pid)}/mem`, 'r')
  const found = new Set<string>()
  const piece = Buffer.allocUnsafe(4 << 20)
  try {
    for (const line of (await readFile(`/proc/${String(pid)}/maps`, 'utf8')).split('\n')) {
      const region = /^([0-9a-f]+)-([0-9a-f]+) r/.exec(line)
      if (!region || line.endsWith('[vvar]') || line.endsWith('[vsyscall]')) continue
      const [from, to] = [Number(`0x${region[1]!}`), Number(`0x${region[2]!}`)]
      // Pieces overlap, so that no match is cut in two.
      for (let at = from; at < to; at += piece.length - OVERLAP) {
        const length = await readPart(memory, piece, Math.min(piece.length, to - at), at)
        for (const [name, bytes] of Object.entries(needles))
          if (piece.subarray(0, length).includes(bytes)) found.add(name)
      }
    }
  } finally {
    await memory.close()
  }
  return [...found].toSorted()
}

/** A part of the address space that the process has released in the meantime reads as empty. */
async function readPart(memory: FileHandle, piece: Buffer, length: number, at: number): Promise<number> {
  try {
    return (await memory.read(piece, 0, length, at)).bytesRead
  } catch {
    return 0
  }
}
