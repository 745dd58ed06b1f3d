import { tryParseJson } from '../../../shared/strict-json.ts'

/**
 * Names the model of a JSON answer as the caller did. The bytes stay as they are without an alias, and if the answer names no model.
 *
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
