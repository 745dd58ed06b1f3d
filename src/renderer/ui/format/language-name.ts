import { perLocale } from '../language/format-locale.ts'

const names = perLocale((locale) => new Intl.DisplayNames(locale, { type: 'language' }))

/** A language by its tag, as the window's language calls it: "en" -> "English". What is no tag is said as it is. */
export function formatLanguage(tag: string): string {
  try {
    return names().of(tag) ?? tag
  } catch {
    return tag
  }
}
