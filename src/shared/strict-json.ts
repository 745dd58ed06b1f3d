export {
  hasExactNumbers,
  isJsonObject,
  parseStrictJson,
  StrictJsonError,
  type JsonObject,
  type JsonValue,
  type StrictJsonFault,
} from '../verifier/types.ts'

/** Whether a value of JSON is an object, and no array. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/**
 * The value of a JSON text, or undefined if it isn't valid JSON. Bytes must be UTF-8 (RFC 8259, section 8.1). No schema accepts undefined, so
 * a caller that validates the value refuses invalid JSON with it.
 */
export function tryParseJson(json: string | Uint8Array): unknown {
  try {
    return JSON.parse(
      typeof json === 'string' ? json : new TextDecoder('utf-8', { fatal: true }).decode(json),
    )
  } catch {
    return undefined
  }
}
