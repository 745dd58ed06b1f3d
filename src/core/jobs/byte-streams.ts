import { SottoError } from '../../shared/errors.ts'
import { ByteBuffer } from '../../shared/byte-buffer.ts'
import { msg } from '../../shared/localized-text.ts'

/**
 * The beginning of a file: the pieces that hold its first `length` bytes, whole, so that there may be more; fewer where it is shorter.
 * The rest is not read. Throws what the content throws.
 */
export async function headOf(content: AsyncIterable<Uint8Array>, length = 1024 * 1024): Promise<Uint8Array> {
  const head = new ByteBuffer()
  for await (const piece of content) {
    head.add(piece)
    if (head.bytes >= length) break
  }
  return head.take()
}

/** The beginning of what passes by: its first bytes, copied, in whatever pieces it comes. */
export class PassingHead {
  readonly #length: number
  readonly #held = new ByteBuffer()

  constructor(length: number) {
    this.#length = length
  }

  /** A copy is kept: the piece may be the sender's buffer, which it fills again. */
  pass(piece: Uint8Array): void {
    const left = this.#length - this.#held.bytes
    if (left > 0) this.#held.add(Uint8Array.from(piece.subarray(0, left)))
  }

  /** Once: nothing is held any more. */
  take(): Uint8Array {
    return this.#held.take()
  }
}

/** All of what is short enough, in memory. Throws service/response-invalid where it has more than `limit` bytes, and what the content throws. */
export async function whole(content: AsyncIterable<Uint8Array>, limit = Infinity): Promise<Uint8Array> {
  const bytes = await headOf(content, limit === Infinity ? limit : limit + 1)
  if (bytes.byteLength > limit)
    throw new SottoError('service/response-invalid', { detail: msg('It exceeds the size limit.') })
  return bytes
}
