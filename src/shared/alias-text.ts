import { modelAliasSchema, type ModelAlias } from './key-limits.ts'

/**
 * Parses an alias that a person writes: `claude-* = private/model`, with or without spaces around the `=`.
 *
 * @returns undefined for anything else
 */
export function parseAlias(text: string): ModelAlias | undefined {
  const at = text.indexOf('=')
  return at < 0
    ? undefined
    : modelAliasSchema.safeParse({ pattern: text.slice(0, at).trim(), model: text.slice(at + 1).trim() }).data
}
