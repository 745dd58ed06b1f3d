import { formatLocale } from './language.ts'

/** Creates one formatter per locale and caches it, because creating a formatter takes longer than using it. */
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
