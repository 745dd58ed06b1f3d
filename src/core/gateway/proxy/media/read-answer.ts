import { ByteBuffer } from '../../../../shared/byte-buffer.ts'
import { isJsonObject, parseStrictJson, type JsonObject } from '../../../../shared/strict-json.ts'

/** Reads a whole body whose size its endpoint limits. Throws the errors of the body. */
export async function readAll(body: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const gathered = new ByteBuffer()
  for await (const piece of body) gathered.add(piece)
  return gathered.take()
}

/** Parses an answer of the service as a JSON object; undefined if it's anything else. */
export function objectIn(answer: Uint8Array): JsonObject | undefined {
  try {
    const value = parseStrictJson(new TextDecoder('utf-8', { fatal: true }).decode(answer))
    return isJsonObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** Yields bytes that were read earlier. */
export async function* again(bytes: Uint8Array): AsyncGenerator<Uint8Array, void> {
  yield await Promise.resolve(bytes)
}

/** Encodes texts as the bytes of a body. */
export async function* encoded(texts: AsyncIterable<string>): AsyncGenerator<Uint8Array, void> {
  for await (const text of texts) yield Buffer.from(text, 'utf8')
}

/** OpenAI's events for media require `usage`, in tokens. The service counts none for media; the receipt has the cost. */
export const NO_TOKENS = {
  input_tokens: 0,
  input_tokens_details: { image_tokens: 0, text_tokens: 0 },
  output_tokens: 0,
  total_tokens: 0,
} as const
