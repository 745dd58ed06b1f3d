import { tryParseJson } from '../../../shared/strict-json.ts'

/**
 * Replaces the model's name in a JSON answer with the caller's alias. Without an alias, or if the answer
 * names no model, the bytes remain unchanged.
 * @param bytes the whole answer
 */
export function renameModel(bytes: Uint8Array, contentType: string, alias: string | undefined): Uint8Array {
  if (alias === undefined || !/^application\/json(?:;|$)/i.test(contentType)) return bytes
  const answer = tryParseJson(new TextDecoder().decode(bytes))
  return hasModel(answer) ? Buffer.from(JSON.stringify({ ...answer, model: alias })) : bytes
}

function hasModel(value: unknown): value is { model: string } {
  return typeof value === 'object' && value !== null && 'model' in value && typeof value.model === 'string'
}
