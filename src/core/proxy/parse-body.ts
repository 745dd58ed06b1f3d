import { SottoError } from '../../shared/errors.ts'
import { isJsonObject, parseStrictJson, StrictJsonError, type JsonObject } from '../../shared/strict-json.ts'

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** One JSON object, read strictly. Throws proxy/malformed-json, proxy/duplicate-member. */
export function parseBody(bytes: Uint8Array): JsonObject {
  let value
  try {
    value = parseStrictJson(utf8.decode(bytes))
  } catch (cause) {
    const fault = cause instanceof StrictJsonError ? cause.fault : 'syntax'
    if (fault === 'duplicate-member') throw new SottoError('proxy/duplicate-member', { cause })
    throw new SottoError('proxy/malformed-json', { cause, ...(fault !== 'syntax' && { detail: say('The JSON has too many parts or is nested too deeply.') }) })
  }
  if (!isJsonObject(value)) throw new SottoError('proxy/malformed-json', { detail: say('The JSON value isn’t an object.') })
  return value
}
