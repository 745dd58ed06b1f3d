import { InvalidArgumentError } from 'commander'
import { parseAlias } from '../shared/alias-text.ts'
import type { KeyLimitsText, ModelAlias } from '../shared/key-limits.ts'
import { parseOrigin } from '../shared/origin.ts'

/** The changes of `sotto keys edit` to a key. */
export interface KeyEdit {
  readonly alias?: readonly ModelAlias[]
  /** Patterns. */
  readonly removeAlias?: readonly string[]
  readonly origin?: readonly string[]
  readonly removeOrigin?: readonly string[]
  /** False removes it. */
  readonly webSearch?: boolean
  /** Name of a project. False removes it. */
  readonly knowledge?: string | false
}

/** The limits after an edit. An alias of a known pattern gets its new model in its old place; others are appended. */
export function editLimits(
  { aliases = [], origins = [], serverTools = {}, ...others }: KeyLimitsText,
  { alias = [], removeAlias = [], origin = [], removeOrigin = [], ...edited }: KeyEdit,
): KeyLimitsText {
  const byPattern = new Map([...aliases, ...alias].map(({ pattern, model }) => [pattern, model]))
  for (const pattern of removeAlias) byPattern.delete(pattern)
  const origined = [...new Set([...origins, ...origin])].filter((each) => !removeOrigin.includes(each))
  const { webSearch = serverTools.webSearch === true, knowledge = serverTools.knowledge ?? false } = edited
  return {
    ...others,
    ...(byPattern.size > 0 && { aliases: [...byPattern].map(([pattern, model]) => ({ pattern, model })) }),
    ...(origined.length > 0 && { origins: origined }),
    ...((webSearch || knowledge !== false) && {
      serverTools: {
        ...(webSearch && { webSearch: true as const }),
        ...(knowledge !== false && { knowledge }),
      },
    }),
  }
}

/** Parses one `<pattern>=<model>`, and appends it to those before. */
export function toAliases(text: string, earlier: readonly ModelAlias[] = []): ModelAlias[] {
  const alias = parseAlias(text)
  if (!alias)
    throw new InvalidArgumentError(
      'Use a pattern, "=" and a model ID, such as claude-*=private/model, without spaces.',
    )
  return [...earlier, alias]
}

/** Parses one origin, and appends it to those before. */
export function toOrigins(text: string, earlier: readonly string[] = []): string[] {
  const origin = parseOrigin(text)
  if (origin === undefined)
    throw new InvalidArgumentError(
      'Use an origin without a path or a wildcard, such as app://obsidian.md or https://notes.example.',
    )
  return [...earlier, origin]
}

/** Appends a text to those before. */
export function toList(text: string, earlier: readonly string[] = []): string[] {
  return [...earlier, text]
}
