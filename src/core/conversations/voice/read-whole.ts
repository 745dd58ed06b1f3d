import { SottoError } from '../../../shared/errors.ts'
import { msg } from '../../../shared/localized-text.ts'

/**
 * Reads an answer of at most `limit` bytes to its end, so that its receipt is written. Throws
 * service/response-invalid.
 */
export async function readWhole(
  body: AsyncIterable<Uint8Array>,
  limit: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body) {
    size += chunk.byteLength
    if (size > limit)
      throw new SottoError('service/response-invalid', { detail: msg('It exceeds the size limit.') })
    chunks.push(chunk)
  }
  return new Uint8Array(Buffer.concat(chunks, size))
}
