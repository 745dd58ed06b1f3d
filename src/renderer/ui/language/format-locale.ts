import { formatLocale } from './language.ts'

/** Creates one formatter per locale and caches it, because creating a formatter takes longer than using it. */
export function perLocale<Formatter>(make: (locale: string) => Formatter): () => Formatter {
  const formatters = new Map<string, Formatter>()
  return () => {
    const locale = formatLocale()
    const known = formatters.get(locale)
    if (known !== undefined) return known
    const formatter = make(locale)
    formatters.set(locale, formatter)
    return formatter
  }
}
