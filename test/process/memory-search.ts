import { createReadStream, openSync, readdirSync, readSync, closeSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { SottoProcess } from './sotto-process.ts'

/** Node's own switch: the process writes its heap to a file when it receives this signal. */
const SNAPSHOT_SIGNAL = 'SIGUSR2'

/** Arguments of a process whose memory can be searched. @param folder where it writes its heap */
export function searchable(folder: string): string[] {
  return [`--heapsnapshot-signal=${SNAPSHOT_SIGNAL}`, `--diagnostic-dir=${folder}`]
}

/**
 * The names of those texts that are in the process's JavaScript heap, after a collection of unreferenced
 * objects.
 * @param folder as given to `searchable`
 */
export async function textsInHeap(
  { child }: SottoProcess,
  folder: string,
  texts: Readonly<Record<string, string>>,
): Promise<string[]> {
  const before = new Set(snapshots(folder))
  child.kill(SNAPSHOT_SIGNAL)
  for (;;) {
    const name = snapshots(folder).find((file) => !before.has(file))
    // A complete snapshot is a JSON object: it ends with its last bracket.
    if (name !== undefined && endOf(join(folder, name)).trimEnd().endsWith('}'))
      return search(join(folder, name), texts)
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

function snapshots(folder: string): string[] {
  return readdirSync(folder).filter((name) => name.endsWith('.heapsnapshot'))
}

function endOf(path: string): string {
  const bytes = readFileSync(path)
  return bytes.subarray(-16).toString('latin1')
}

/** Searches the strings of the snapshot, which are written as JSON. */
async function search(path: string, texts: Readonly<Record<string, string>>): Promise<string[]> {
  const needles = Object.entries(texts).map(([name, text]) => ({
    name,
    bytes: Buffer.from(JSON.stringify(text).slice(1, -1)),
  }))
  const overlap = Math.max(...needles.map(({ bytes }) => bytes.length))
  const found = new Set<string>()
  let rest = Buffer.alloc(0)
  for await (const chunk of createReadStream(path, { highWaterMark: 8 << 20 })) {
    if (!Buffer.isBuffer(chunk)) continue
    const window = Buffer.concat([rest, chunk])
    for (const { name, bytes } of needles) if (window.includes(bytes)) found.add(name)
    rest = window.subarray(-overlap)
  }
  return [...found].toSorted()
}

/** The names of those bytes that are in the process's memory. Linux only. */
export function bytesInMemory(
  { child: { pid } }: SottoProcess,
  needles: Readonly<Record<string, Buffer>>,
): string[] {
  const memory = openSync(`/proc/${String(pid)}/mem`, 'r')
  const found = new Set<string>()
  const piece = Buffer.allocUnsafe(4 << 20)
  try {
    for (const line of readFileSync(`/proc/${String(pid)}/maps`, 'utf8').split('\n')) {
      const region = /^([0-9a-f]+)-([0-9a-f]+) r/.exec(line)
      if (!region || line.endsWith('[vvar]') || line.endsWith('[vsyscall]')) continue
      const [from, to] = [Number(`0x${region[1]!}`), Number(`0x${region[2]!}`)]
      // Pieces overlap, so that no match is cut in two.
      for (let at = from; at < to; at += piece.length - 64) {
        const length = readPart(memory, piece, Math.min(piece.length, to - at), at)
        for (const [name, bytes] of Object.entries(needles))
          if (piece.subarray(0, length).includes(bytes)) found.add(name)
      }
    }
  } finally {
    closeSync(memory)
  }
  return [...found].toSorted()
}

/** A part of the address space that the process has released in the meantime reads as empty. */
function readPart(memory: number, piece: Buffer, length: number, at: number): number {
  try {
    return readSync(memory, piece, 0, length, at)
  } catch {
    return 0
  }
}
