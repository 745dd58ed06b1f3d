import { perLocale } from '../language/format-locale.ts'

const facts = perLocale((locale) => new Intl.ListFormat(locale, { type: 'conjunction', style: 'narrow' }))
const clauses = perLocale((locale) => new Intl.ListFormat(locale, { type: 'conjunction', style: 'long' }))

/** Short facts or names as a list in the window's language: "a, b, c". False items are left out. */
export function formatList(items: readonly (string | false)[]): string {
  return facts().format(items.filter((item): item is string => item !== false && item !== ''))
}

/** A list within a sentence, with a conjunction before the last item: "a, b, and c". */
export function formatClauses(items: readonly string[]): string {
  return clauses().format(items)
}

/** Clauses as one sentence: "Private models only, 5 requests per minute." */
export function formatSentence(phrases: readonly string[]): string {
  const text = formatList(phrases)
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`
}
