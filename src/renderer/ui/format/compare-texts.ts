import { perLocale } from '../language/format-locale.ts'

/** As the language orders texts, numbers within them by their size. */
export const compareTexts = perLocale((locale) => new Intl.Collator(locale, { numeric: true }).compare)
