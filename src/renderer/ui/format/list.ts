import { perLocale } from '../language/format-locale.ts'
import { isolate } from '../language/language.ts'

/** Intl has no list of facts: most languages put an "and" before the last item, and a list of units has no commas. */
const separator = perLocale((locale) => {
  const list = new Intl.ListFormat(locale, { type: 'conjunction', style: 'narrow' })
  return list.formatToParts(['0', '0', '0']).find(({ type }) => type === 'literal')?.value ?? ', '
})
const clauses = perLocale((locale) => new Intl.ListFormat(locale, { type: 'conjunction', style: 'long' }))

/** What separates short facts in the window's language: ", ". */
export function factSeparator(): string {
  return separator()
}

/** Short facts or names as a list in the window's language, without a conjunction: "a, b, c". False items are left out. */
export function formatList(items: readonly (string | false)[]): string {
  return items
    .filter((item): item is string => item !== false && item !== '')
    .map(isolate)
    .join(separator())
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
