import { formatLocale } from './language.ts'

/** One formatter for each locale that is asked for: to make one takes longer than to use it. */
export function perLocale<Formatter>(make: (locale: string) => Formatter): () => Formatter {
  const made = new Map<string, Formatter>()
  return () => {
    const locale = formatLocale()
    const known = made.get(locale)
    if (known !== undefined) return known
    const formatter = make(locale)
    made.set(locale, formatter)
    return formatter
  }
}
