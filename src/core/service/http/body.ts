import { SottoError } from '../../../shared/errors.ts'
import { parseStrictJson, type JsonValue } from '../../../shared/strict-json.ts'

/** The whole body, or service/response-invalid as soon as it grows beyond `limit` bytes. */
export async function readBytes(body: AsyncIterable<Uint8Array> | null, limit: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body ?? []) {
    size += chunk.byteLength
    if (size > limit) throw new SottoError('service/response-invalid', { detail: 'It is larger than it may be.' })
    chunks.push(chunk)
  }
  return chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks, size)
}

/** As readBytes, as UTF-8 text; throws service/response-invalid where it is not. */
export async function readText(body: AsyncIterable<Uint8Array> | null, limit: number): Promise<string> {
  return decodeUtf8(await readBytes(body, limit))
}

export async function readJson(body: AsyncIterable<Uint8Array> | null, limit: number): Promise<JsonValue> {
  const text = await readText(body, limit)
  try {
    return parseStrictJson(text)
  } catch (cause) {
    throw new SottoError('service/response-invalid', { detail: 'It is not JSON.', cause })
  }
}

function decodeUtf8(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (cause) {
    throw new SottoError('service/response-invalid', { detail: 'It is not UTF-8.', cause })
  }
}
