import { SottoError } from '../../../../shared/errors.ts'
import { readBytes } from '../../../../shared/limited-body.ts'
import { msg } from '../../../../shared/localized-text.ts'
import type { JsonValue } from '../../../../shared/strict-json.ts'
import { parseExactJson } from './exact-json.ts'

/**
 * Reads a whole body as UTF-8 text.
 * @throws {SottoError} service/response-invalid – it's too long or isn't UTF-8
 */
export async function readText(body: AsyncIterable<Uint8Array> | null, limit: number): Promise<string> {
  return decodeUtf8(await readBytes(body, limit))
}

/**
 * Reads JSON with every number as its text, because answers contain amounts of money.
 * @throws {SottoError} service/response-invalid
 */
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
