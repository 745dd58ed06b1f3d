import { SottoError } from '../../../../shared/errors.ts'
import { ByteBuffer } from '../../../../shared/byte-buffer.ts'
import { msg } from '../../../../shared/localized-text.ts'
import type { JsonValue } from '../../../../shared/strict-json.ts'
import { parseExactJson } from './exact-json.ts'

/** The whole body, or service/response-invalid as soon as it grows beyond `limit` bytes. */
export async function readBytes(body: AsyncIterable<Uint8Array> | null, limit: number): Promise<Uint8Array> {
  const gathered = new ByteBuffer()
  for await (const chunk of limited(body, limit)) gathered.add(chunk)
  return gathered.take()
}

/** Passes a body on until it grows beyond `limit` bytes: service/response-invalid. */
export async function* limited(
  body: AsyncIterable<Uint8Array> | null,
  limit: number,
): AsyncGenerator<Uint8Array, void> {
  let size = 0
  for await (const chunk of body ?? []) {
    size += chunk.byteLength
    if (size > limit)
      throw new SottoError('service/response-invalid', { detail: msg('It exceeds the size limit.') })
    yield chunk
  }
}

/** As readBytes, as UTF-8 text; throws service/response-invalid where it is not. */
export async function readText(body: AsyncIterable<Uint8Array> | null, limit: number): Promise<string> {
  return decodeUtf8(await readBytes(body, limit))
}

/** JSON with every number as its text, since answers hold money. Throws service/response-invalid. */
export async function readExactJson(
  body: AsyncIterable<Uint8Array> | null,
  limit: number,
): Promise<JsonValue> {
  const text = await readText(body, limit)
  try {
    return parseExactJson(text)
  } catch (cause) {
    throw new SottoError('service/response-invalid', { detail: msg('The response isn’t valid JSON.'), cause })
  }
}

function decodeUtf8(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (cause) {
    throw new SottoError('service/response-invalid', {
      detail: msg('The response isn’t valid UTF-8.'),
      cause,
    })
  }
}
