/** A value within a sentence. Several sentences follow one another. */
export type Value = string | number | LocalizedText

/** A sentence in English, which is also its key in a catalog of translations, and the values of its placeholders. */
export interface Sentence {
  /** An ICU message with only placeholders (`{name}`) and plurals (`{count, plural, one {…} other {… # …}}`). */
  readonly english: string
  readonly values?: Readonly<Record<string, Value>>
}

/** Sentences that follow one another. The caller chooses the language. */
export type LocalizedText = readonly Sentence[]

/** The names of a message's placeholders. The branches of a plural contain only words and `#`. */
type Places<English extends string> = English extends `${string}{${infer Place}}${infer Rest}`
  ? | (Place extends `${infer Count}, plural, ${string}`
        ? Count
        : Place extends `${string}${' ' | '#'}${string}`
          ? never
          : Place)
    | Places<Rest>
  : never

/**
 * A computed text has no translation. Its type isn't a literal, so an empty record is assignable to a record
 * of it, and it's refused.
 */
type Literal<English extends string> = Empty extends Record<English, unknown> ? never : English
type Empty = { readonly _?: never }

/**
 * Controls, line breaks and marks that turn text around: an attacker who chose a value must not steer a
 * terminal or the text around it.
 */
const UNSHOWN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu

/** Most values have none of these characters, and this pattern is faster. */
const PLAIN = /^[ -~]*$/

function withoutControls(text: string): string {
  return PLAIN.test(text) ? text : text.replaceAll(UNSHOWN, '\ufffd')
}

/**
 * Creates a sentence. `english` must be a literal, so that a catalog of translations can be extracted from
 * the code.
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

const PLACE = /\{(\w+)(?:, plural, ((?:\w+ \{[^{}]*\} ?)+))?\}/g

/** The sentences in English. */
export function renderEnglish(text: LocalizedText): string {
  return text
    .map(({ english, values = {} }) =>
      english.replaceAll(PLACE, (whole, place: string, branches?: string) => {
        const value = values[place]
        if (branches === undefined || typeof value !== 'number')
          return value === undefined ? whole : written(value)
        const branch = (name: string): string | undefined =>
          new RegExp(`\\b${name} \\{([^}]*)\\}`).exec(branches)?.[1]
        return (branch(value === 1 ? 'one' : 'other') ?? whole).replaceAll('#', () =>
          value.toLocaleString('en'),
        )
      }),
    )
    .join(' ')
}

function written(value: Value): string {
  return typeof value === 'string' || typeof value === 'number'
    ? String(value)
    : value.map((sentence) => renderEnglish([sentence])).join('; ')
}
