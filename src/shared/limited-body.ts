import { ByteBuffer } from './byte-buffer.ts'
import { SottoError } from './errors.ts'
import { msg } from './localized-text.ts'

/** A body in the pieces in which it arrives. Null is an empty one, as in a response of fetch. */
type Body = AsyncIterable<Uint8Array> | null

/**
 * Reads a whole body into memory.
 * @param limit bytes
 * @param tooLarge creates the error for a longer body; by default service/response-invalid
 * @param onChunk called for each piece
 * @returns bytes that no other code refers to
 * @throws {SottoError} what `tooLarge` creates – as soon as the body exceeds `limit`; and the errors of the body
 */
export async function readBytes(
  body: Body,
  limit: number,
  tooLarge: () => Error = responseTooLarge,
  onChunk?: () => void,
): Promise<Uint8Array> {
  const gathered = new ByteBuffer()
  for await (const chunk of body ?? []) {
    onChunk?.()
    if (gathered.bytes + chunk.byteLength > limit) throw tooLarge()
    gathered.add(chunk)
  }
  return gathered.take()
}

/** Passes a body on. @throws {SottoError} service/response-invalid – as soon as it exceeds `limit` bytes */
export async function* limited(body: Body, limit: number): AsyncGenerator<Uint8Array, void> {
  let size = 0
  for await (const chunk of body ?? []) {
    size += chunk.byteLength
    if (size > limit) throw responseTooLarge()
    yield chunk
  }
}

/** Creates the error for a response that is larger than the limit of its endpoint. */
export function responseTooLarge(): SottoError {
  return new SottoError('service/response-invalid', { detail: msg('It exceeds the size limit.') })
}
