/**
 * The languages of Sotto as BCP 47 tags, in the order of the language menu. Each has a catalogue in src/renderer, src/shared
 * and src/main. A catalogue with an untranslated sentence fails test/languages, so every language here is complete.
 */
export const languageTags = ['en', 'de', 'es', 'fr', 'he', 'ja', 'ko', 'pt-BR', 'zh-Hans', 'zh-Hant'] as const
export type LanguageTag = (typeof languageTags)[number]

/** `system` is the first language of the system that Sotto has. */
export const languageChoices = ['system', ...languageTags] as const
export type LanguageChoice = (typeof languageChoices)[number]

/** How close things stand. */
export const densities = ['comfortable', 'compact'] as const
export type Density = (typeof densities)[number]

export interface WindowPreferences {
  readonly language: LanguageChoice
  readonly density: Density
}

export const defaultPreferences: WindowPreferences = { language: 'system', density: 'comfortable' }

/** How the desktop window's page learns them when it is started, as JSON, and asks for others. */
export const PREFERENCES_ARGUMENT = '--sotto-preferences='
export const PREFERENCES_CHANNEL = 'sotto:preferences'
