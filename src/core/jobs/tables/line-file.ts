import { SottoError } from '../../../shared/errors.ts'
import { msg } from '../../../shared/localized-text.ts'
import type { Store } from '../../storage/index.ts'
import { encoded } from '../byte-streams.ts'

/** JSON Lines: one value on each line. */
export const LINES_TYPE = 'application/jsonl'
const EACH = 256
const MOST_KNOWN = 8
const NEWLINE = 0x0a

/**
 * Reads lines of a sealed file of a job from any line on. The position of each 256th line is cached, so
 * that a page decrypts only its own pieces.
 */
export class LineFiles {
  readonly #files: Store['jobFiles']
  /** By file: the positions of each 256th line, in bytes. */
  readonly #known = new Map<string, Promise<readonly number[]>>()

  constructor(files: Store['jobFiles']) {
    this.#files = files
  }

  /** Yields the lines from this one on, parsed as JSON. Throws store/damaged. */
  async *from(jobId: string, index: number, line: number): AsyncGenerator<unknown, void> {
    const offsets = await this.#offsetsOf(jobId, index)
    const block = Math.min(Math.floor(line / EACH), offsets.length - 1)
    let skip = line - block * EACH
    for await (const text of lines(this.#stream(jobId, index, offsets[block] ?? 0))) {
      if (skip-- > 0) continue
      yield parsed(text)
    }
  }

  #offsetsOf(jobId: string, index: number): Promise<readonly number[]> {
    const name = `${jobId}/${String(index)}`
    const known = this.#known.get(name) ?? offsetsIn(this.#stream(jobId, index, 0))
    // A failed read isn't cached.
    known.catch(() => this.#known.delete(name))
    this.#known.delete(name)
    this.#known.set(name, known)
    for (const oldest of [...this.#known.keys()].slice(0, -MOST_KNOWN)) this.#known.delete(oldest)
    return known
  }

  #stream(jobId: string, index: number, from: number): AsyncIterable<Uint8Array> {
    return this.#files.stream(jobId, index, from) ?? gone()
  }
}

async function offsetsIn(content: AsyncIterable<Uint8Array>): Promise<readonly number[]> {
  const offsets = [0]
  let [lines, before] = [0, 0]
  for await (const piece of content) {
    for (let at = piece.indexOf(NEWLINE); at !== -1; at = piece.indexOf(NEWLINE, at + 1)) {
      lines += 1
      if (lines % EACH === 0) offsets.push(before + at + 1)
    }
    before += piece.byteLength
  }
  return offsets
}

async function* lines(content: AsyncIterable<Uint8Array>): AsyncGenerator<string, void> {
  let rest: Uint8Array = new Uint8Array(0)
  for await (const piece of content) {
    let start = 0
    for (let at = piece.indexOf(NEWLINE); at !== -1; at = piece.indexOf(NEWLINE, start)) {
      const line = piece.subarray(start, at)
      yield Buffer.concat([rest, line]).toString('utf8')
      rest = new Uint8Array(0)
      start = at + 1
    }
    rest = Buffer.concat([rest, piece.subarray(start)])
  }
}

/** Encodes values as JSON Lines. */
export function asLines(values: AsyncIterable<unknown>): AsyncGenerator<Uint8Array, void> {
  return encoded(texts())

  async function* texts(): AsyncGenerator<string, void> {
    for await (const value of values) yield `${JSON.stringify(value)}\n`
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new SottoError('store/damaged', { detail: msg('A job’s input can’t be read.'), cause })
  }
}

function gone(): never {
  throw new SottoError('store/damaged', { detail: msg('A job’s input is missing.') })
}
