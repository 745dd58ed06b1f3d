import { formatCount } from './format-count.ts'
import { formatSats, formatUsd } from './format-money.ts'

/** What is put into a sentence. Amounts are written as the language writes them, everything else as it stands; of several sentences, one after the other. */
export type Value =
  | string
  | number
  | { readonly usd: string; /** For what is left: never shown as more than it is. */ readonly round?: 'down' }
  | { readonly msat: string }
  | LocalizedText

/** A sentence of the core: its English, by which catalogues know it, and apart from it what stands in its places. */
export interface Sentence {
  /** An ICU message of places (`{name}`) and plurals (`{count, plural, one {…} other {… # …}}`), and of nothing else. */
  readonly english: string
  readonly values?: Readonly<Record<string, Value>>
}

/** What the core says: sentences that follow one another. Whoever shows them chooses the language (docs/decisions/0010). */
export type LocalizedText = readonly Sentence[]

/** Whatever a language has for an English sentence, with these in it; undefined where it has nothing. */
export type Translate = (
  english: string,
  values: Readonly<Record<string, string | number>>,
) => string | undefined

/** The places of a message. Within a plural's branches stand words and `#`. */
type Places<English extends string> = English extends `${string}{${infer Place}}${infer Rest}`
  ? | (Place extends `${infer Count}, plural, ${string}`
        ? Count
        : Place extends `${string}${' ' | '#'}${string}`
          ? never
          : Place)
    | Places<Rest>
  : never

/** A text that was put together is nobody's to translate: its type is no literal, so that a record by it may be empty, and is refused. */
type Literal<English extends string> = Empty extends Record<English, unknown> ? never : English
type Empty = { readonly _?: never }

/** Controls, breaks and marks that turn text around: who chose a value must not write the rest of what is said, or of a terminal. */
const UNSHOWN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu

/** Most values have no such character, and this pattern is faster. */
const PLAIN = /^[ -~]*$/

/** Replaces each control character by U+FFFD. */
export function withoutControls(text: string): string {
  return PLAIN.test(text) ? text : text.replaceAll(UNSHOWN, '\ufffd')
}

/** One sentence. `english` is collected into the catalogues as it is written in the code (build/core-sentences.ts). */
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

export function renderEnglish(said: LocalizedText): string {
  return inLanguage(said, 'en', () => undefined)
}

/** `locale`: of the language that `translate` knows, BCP 47; amounts are written by it. What it does not know is said in English. */
export function inLanguage(said: LocalizedText, locale: string, translate: Translate): string {
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
  return said.map(one).join(/^(?:ja|zh)\b/.test(locale) ? '' : ' ')
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
