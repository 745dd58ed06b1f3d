import { readText } from '../../../../../src/core/gateway/service/http/body.ts'
import { SottoError } from '../../../../../src/shared/errors.ts'
import type { FetchResponse } from '../../../../../src/shared/fetch.ts'
import { parseStrictJson, type JsonValue } from '../../../../../src/shared/strict-json.ts'

/** An answer without money: numbers are numbers. Throws service/response-invalid. */
export async function readJson(body: FetchResponse['body'], limit: number): Promise<JsonValue> {
  const text = await readText(body, limit)
  try {
    return parseStrictJson(text)
  } catch (cause) {
    throw new SottoError('service/response-invalid', { cause })
  }
}
