import { languageTags, type LanguageTag } from './window-preferences.ts'

/**
 * The first preferred language that Sotto has, or English. Tags match by language and script, both completed by CLDR's likely
 * subtags: `zh-TW`, `zh-HK` and `zh-MO` are Traditional Chinese, other Chinese is Simplified, and `iw` is Hebrew.
 */
export function matchLanguage(preferred: readonly string[]): LanguageTag {
  for (const wanted of preferred) {
    const locale = parsedLocale(wanted)
    const found =
      locale &&
      languageTags.find((tag) => {
        const maximized = new Intl.Locale(tag).maximize()
        return maximized.language === locale.language && maximized.script === locale.script
      })
    if (found !== undefined) return found
  }
  return 'en'
}

/** Undefined if the tag isn't a valid language tag (BCP 47). */
export function parsedLocale(tag: string): Intl.Locale | undefined {
  try {
    return new Intl.Locale(tag).maximize()
  } catch {
    return undefined
  }
}
