import { perLocale } from '../language/format-locale.ts'

const facts = perLocale((locale) => new Intl.ListFormat(locale, { type: 'conjunction', style: 'narrow' }))
const clauses = perLocale((locale) => new Intl.ListFormat(locale, { type: 'conjunction', style: 'long' }))

/** Short facts or names one after the other, as the language sets them: "a, b, c". What is false is left out. */
export function formatList(items: readonly (string | false)[]): string {
  return facts().format(items.filter((item): item is string => item !== false && item !== ''))
}

/** The same within a sentence, the last one joined by a word: "a, b, and c". */
export function formatClauses(items: readonly string[]): string {
  return clauses().format(items)
}
