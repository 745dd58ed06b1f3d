import { perLocale } from '../language/format-locale.ts'

/** Compares texts in the order of the window's language. Numbers in them are ordered by value. */
export const compareTexts = perLocale((locale) => new Intl.Collator(locale, { numeric: true }).compare)
