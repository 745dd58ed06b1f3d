import { SottoError } from '../../shared/errors.ts'
import { isJsonObject, parseStrictJson, StrictJsonError, type JsonObject } from '../../shared/strict-json.ts'

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** One JSON object, read strictly. Throws proxy/malformed-json, proxy/duplicate-member. */
export function parseBody(bytes: unknown): JsonObject {
  if (!Buffer.isBuffer(bytes)) throw new SottoError('proxy/malformed-json')
  let value
  try {
    value = parseStrictJson(utf8.decode(bytes))
  } catch (cause) {
    const duplicate = cause instanceof StrictJsonError && cause.fault === 'duplicate-member'
    throw new SottoError(duplicate ? 'proxy/duplicate-member' : 'proxy/malformed-json', { cause })
  }
  if (!isJsonObject(value)) throw new SottoError('proxy/malformed-json', { detail: 'It is not an object.' })
  return value
}
