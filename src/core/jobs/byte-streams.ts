import { ByteBuffer } from '../../shared/byte-buffer.ts'

/**
 * Reads the beginning of a file: all pieces up to the one that completes the first `length` bytes. The
 * result may therefore be longer, and it's shorter if the file is. Doesn't read the rest. Throws the errors
 * of the content.
 */
export async function headOf(content: AsyncIterable<Uint8Array>, length = 1024 * 1024): Promise<Uint8Array> {
  const head = new ByteBuffer()
  for await (const piece of content) {
    head.add(piece)
    if (head.bytes >= length) break
  }
  return head.take()
}

/** Copies the first bytes of a stream that passes through, in pieces of any size. */
export class PassingHead {
  readonly #length: number
  readonly #held = new ByteBuffer()

  constructor(length: number) {
    this.#length = length
  }

  /** Copies the piece, because the sender may reuse its buffer. */
  pass(piece: Uint8Array): void {
    const left = this.#length - this.#held.bytes
    if (left > 0) this.#held.add(Uint8Array.from(piece.subarray(0, left)))
  }

  /** Returns the bytes once, and releases them. */
  take(): Uint8Array {
    return this.#held.take()
  }
}

const FLUSH = 64 * 1024

/** Encodes text as UTF-8, in pieces of at least 64 K characters, and the rest. */
export async function* encoded(texts: AsyncIterable<string>): AsyncGenerator<Uint8Array, void> {
  let waiting = ''
  for await (const text of texts) {
    waiting += text
    if (waiting.length < FLUSH) continue
    yield Buffer.from(waiting)
    waiting = ''
  }
  if (waiting !== '') yield Buffer.from(waiting)
}

/** Yields the head, and then each of the contents. */
export async function* behindEachOther(
  contents: readonly AsyncIterable<Uint8Array>[],
  head?: Uint8Array,
): AsyncGenerator<Uint8Array, void> {
  if (head) yield head
  for (const content of contents) yield* content
}
