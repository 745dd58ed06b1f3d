import { formatCount } from './format-count.ts'
import { formatSats, formatUsd } from './format-money.ts'

/**
 * A value in a sentence. Amounts are formatted in the style of the language, other values are inserted
 * unchanged, and several sentences are joined.
 */
export type Value =
  | string
  | number
  | { readonly usd: string; /** For a remaining amount: never rounded up. */ readonly round?: 'down' }
  | { readonly msat: string }
  | LocalizedText

/** A sentence of the core: its English text, which is the key in catalogs, and its values. */
export interface Sentence {
  /** An ICU message of places (`{name}`) and plurals (`{count, plural, one {…} other {… # …}}`), and of nothing else. */
  readonly english: string
  readonly values?: Readonly<Record<string, Value>>
}

/**
 * A message of the core: a list of sentences. The code that shows it chooses the language
 * (docs/decisions/0010).
 */
export type LocalizedText = readonly Sentence[]

/** Translates an English sentence with these values; undefined if the language has no translation. */
export type Translate = (
  english: string,
  values: Readonly<Record<string, string | number>>,
) => string | undefined

/** The placeholders of a message. The branches of a plural have only words and `#`. */
type Places<English extends string> = English extends `${string}{${infer Place}}${infer Rest}`
  ? | (Place extends `${infer Count}, plural, ${string}`
        ? Count
        : Place extends `${string}${' ' | '#'}${string}`
          ? never
          : Place)
    | Places<Rest>
  : never

/**
 * Refuses a text that was built at run time, which can't be translated: its type isn't a literal, so a
 * record with it may be empty.
 */
type Literal<English extends string> = Empty extends Record<English, unknown> ? never : English
type Empty = { readonly _?: never }

/**
 * Controls, line breaks and marks that reverse text: an attacker who controls a value must not change the
 * rest of the message, or of a terminal.
 */
const UNSHOWN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu

/** Most values have no such character, and this pattern is faster. */
const PLAIN = /^[ -~]*$/

/** Replaces each control character by U+FFFD. */
export function withoutControls(text: string): string {
  return PLAIN.test(text) ? text : text.replaceAll(UNSHOWN, '\ufffd')
}

/**
 * Creates one sentence. `english` is collected into the catalogs as it's written in the code
 * (build/core-sentences.ts).
 */
export function msg<const English extends string>(
  english: English & Literal<English>,
  ...[values]: [Places<English>] extends [never] ? [] : [values: Readonly<Record<Places<English>, Value>>]
): LocalizedText {
  if (!values) return [{ english }]
  const shown: Record<string, Value> = {}
  for (const [place, value] of Object.entries<Value>(values))
    shown[place] = typeof value === 'string' ? withoutControls(value) : value
  return [{ english, values: shown }]
}

export function renderEnglish(text: LocalizedText): string {
  return inLanguage(text, 'en', () => undefined)
}

/**
 * Renders a message. `locale`: the language of `translate`, BCP 47, which also formats amounts. A sentence
 * without a translation is shown in English.
 */
export function inLanguage(text: LocalizedText, locale: string, translate: Translate): string {
  const write = (value: Value): string | number => {
    if (typeof value === 'string' || typeof value === 'number') return value
    if ('usd' in value) return formatUsd(value.usd, locale, value.round && { round: value.round })
    if ('msat' in value) return formatSats(value.msat, locale)
    return value.map(one).join('; ')
  }
  const one = ({ english, values = {} }: Sentence): string => {
    const written = Object.fromEntries(Object.entries(values).map(([place, value]) => [place, write(value)]))
    return translate(english, written) ?? filled(english, written)
  }
  // Japanese and Chinese have no space between sentences. Korean does.
  return text.map(one).join(/^(?:ja|zh)\b/.test(locale) ? '' : ' ')
}

const PLACE = /\{(\w+)(?:, plural, ((?:\w+ \{[^{}]*\} ?)+))?\}/g

function filled(english: string, values: Readonly<Record<string, string | number>>): string {
  return english.replaceAll(PLACE, (whole, place: string, branches?: string) => {
    const value = values[place]
    if (branches === undefined || typeof value !== 'number')
      return value === undefined ? whole : String(value)
    const branch = (name: string): string | undefined =>
      new RegExp(`\\b${name} \\{([^}]*)\\}`).exec(branches)?.[1]
    return (branch(value === 1 ? 'one' : 'other') ?? whole).replaceAll('#', () => formatCount(value))
  })
}
