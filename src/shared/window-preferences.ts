/**
 * The languages of Sotto as BCP 47 tags, in the order of the language menu. Each has a catalog in
 * src/renderer, src/shared and src/main. A catalog with an untranslated sentence fails test/languages, so
 * every language here is complete.
 */
export const languageTags = ['en', 'de', 'es', 'fr', 'he', 'ja', 'ko', 'pt-BR', 'zh-Hans', 'zh-Hant'] as const
export type LanguageTag = (typeof languageTags)[number]

/** `system` is the first language of the system that Sotto has. */
export const languageChoices = ['system', ...languageTags] as const
export type LanguageChoice = (typeof languageChoices)[number]

/** How much space the window leaves between its parts. */
export const densities = ['comfortable', 'compact'] as const
export type Density = (typeof densities)[number]

/** The size of all text in the window. */
export const textSizes = ['small', 'medium', 'large', 'larger'] as const
export type TextSize = (typeof textSizes)[number]

/** Whether a wide window shows the sidebar. A narrow window always shows it as an overlay. */
export const sidebarChoices = ['open', 'closed'] as const
export type SidebarChoice = (typeof sidebarChoices)[number]

/** The limits of the sidebar's width in pixels, and its width until the person changes it. */
export const sidebarWidths = { least: 220, most: 360, initial: 264 } as const

export interface WindowPreferences {
  readonly language: LanguageChoice
  readonly density: Density
  readonly textSize: TextSize
  readonly sidebar: SidebarChoice
  /** In pixels: a whole number within `sidebarWidths`. */
  readonly sidebarWidth: number
}

export const defaultPreferences: WindowPreferences = {
  language: 'system',
  density: 'comfortable',
  textSize: 'medium',
  sidebar: 'open',
  sidebarWidth: sidebarWidths.initial,
}

/** How the desktop window's page asks for others. */
export const PREFERENCES_CHANNEL = 'sotto:preferences'
