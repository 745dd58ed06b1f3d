/** The languages that the window is translated to, as BCP 47 tags. Each has a catalogue in src/renderer/languages. */
export const languageTags = ['en', 'de', 'es', 'fr', 'ja', 'pt-BR', 'zh-Hans'] as const
export type LanguageTag = (typeof languageTags)[number]

/** Those that are translated whole, in the order in which they are offered. */
export const offeredLanguages: readonly LanguageTag[] = ['en', 'de', 'es', 'fr', 'ja', 'pt-BR', 'zh-Hans']

/** English mirrored: what the tests of right-to-left writing choose. It is offered to nobody. */
export const MIRRORED = 'ar-XB'

/** `system` is the first of the system's own languages that there is. */
export const languageChoices = ['system', ...languageTags, MIRRORED] as const
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
