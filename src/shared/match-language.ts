import { offeredLanguages as offered, type LanguageTag } from './window-preferences.ts'

/** The first of these that is offered; Chinese that is not written in traditional characters is the simplified. */
export function matchLanguage(preferred: readonly string[]): LanguageTag {
  for (const wanted of preferred) {
    const locale = parsedLocale(wanted)
    const found = locale && offered.find((tag) => {
      const own = new Intl.Locale(tag).maximize()
      return own.language === locale.language && own.script === locale.script
    })
    if (found !== undefined) return found
  }
  return 'en'
}

/** Undefined where it is no tag of a language (BCP 47). */
export function parsedLocale(tag: string): Intl.Locale | undefined {
  try {
    return new Intl.Locale(tag).maximize()
  } catch {
    return undefined
  }
}
