import { join } from 'node:path'
import { nativeTheme } from 'electron'
import { z } from 'zod'
import {
  defaultPreferences,
  densities,
  languageChoices,
  PREFERENCES_CHANNEL,
  sidebarChoices,
  sidebarWidths,
  textSizes,
  type LanguageChoice,
  type WindowPreferences,
} from '../shared/window-preferences.ts'
import { APPEARANCE_CHANNEL, THEME_CHANNEL, type Appearance } from '../shared/desktop-channels.ts'
import { themeSchema } from '../shared/theme.ts'
import { answerPreload, listen } from './ipc.ts'
import { keepInFile, readStored } from './stored-file.ts'
import { speak } from './language.ts'

const preferencesSchema = z.strictObject({
  language: z.enum(languageChoices),
  density: z.enum(densities),
  textSize: z.enum(textSizes).default(defaultPreferences.textSize),
  sidebar: z.enum(sidebarChoices).default(defaultPreferences.sidebar),
  sidebarWidth: z
    .int()
    .min(sidebarWidths.least)
    .max(sidebarWidths.most)
    .default(defaultPreferences.sidebarWidth),
})

const FILE = 'preferences.json'

let preferences: WindowPreferences = defaultPreferences

/** Lets each page learn the present theme and preferences when it is loaded. */
export function tellAppearance(): void {
  answerPreload(APPEARANCE_CHANNEL, (): Appearance => [nativeTheme.themeSource, JSON.stringify(preferences)])
}

/**
 * Saves the window's language and density together with its theme, and calls `spoken` when the language of
 * the desktop must change.
 */
export async function keepPreferences(folder: string, spoken: () => void): Promise<void> {
  const file = join(folder, FILE)
  preferences = await readStored(file, preferencesSchema, defaultPreferences)
  const keep = keepInFile(file)
  await speak(preferences.language)
  listen(PREFERENCES_CHANNEL, preferencesSchema, (asked) => {
    if (asked.language !== preferences.language) void speak(asked.language).then(spoken)
    preferences = asked
    // If the preferences can't be written, they apply until Sotto stops.
    keep(asked).catch(() => undefined)
  })
}

/** The saved language of the window, or the system's language if there is none yet. */
export async function storedLanguage(folder: string | undefined): Promise<LanguageChoice> {
  return folder === undefined
    ? defaultPreferences.language
    : (await readStored(join(folder, FILE), preferencesSchema, defaultPreferences)).language
}

/**
 * Saves the theme with the window's other settings, because the page's session stores nothing on the disk.
 */
export async function keepTheme(file: string): Promise<void> {
  nativeTheme.themeSource = await readStored(file, themeSchema, 'system')
  const keep = keepInFile(file)
  listen(THEME_CHANNEL, themeSchema, (theme) => {
    nativeTheme.themeSource = theme
    // If the theme can't be written, it applies until Sotto stops.
    keep(theme).catch(() => undefined)
  })
}
