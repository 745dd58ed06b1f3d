import { perLocale } from '../language/format-locale.ts'

const names = perLocale((locale) => new Intl.DisplayNames(locale, { type: 'language' }))

/** The name of a language in the window's language: "en" -> "English". An invalid tag is returned unchanged. */
export function formatLanguage(tag: string): string {
  try {
    return names().of(tag) ?? tag
  } catch {
    return tag
  }
}
