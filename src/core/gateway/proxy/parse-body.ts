import { SottoError } from '../../../shared/errors.ts'
import {
  isJsonObject,
  parseStrictJson,
  StrictJsonError,
  type JsonObject,
} from '../../../shared/strict-json.ts'

/** Skips one byte order mark at the start, which some clients write (RFC 8259 section 8.1). */
const utf8 = new TextDecoder('utf-8', { fatal: true })

/** Parses one JSON object strictly. @throws {SottoError} proxy/malformed-json, proxy/duplicate-member */
export function parseBody(bytes: Uint8Array): JsonObject {
  let value
  try {
    value = parseStrictJson(utf8.decode(bytes))
  } catch (cause) {
    const { fault, member } =
      cause instanceof StrictJsonError ? cause : { fault: 'syntax', member: undefined }
    if (fault === 'duplicate-member')
      throw new SottoError('proxy/duplicate-member', {
        cause,
        ...(member !== undefined && { param: member.slice(0, 60) }),
      })
    throw new SottoError('proxy/malformed-json', {
      cause,
      ...(fault !== 'syntax' && {
        toolDetail: 'It has more than 1,000,000 members, or more than 128 levels.',
      }),
    })
  }
  if (!isJsonObject(value))
    throw new SottoError('proxy/malformed-json', { toolDetail: 'It is not an object.' })
  return value
}
