import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import {
  defaultPreferences,
  densities,
  languageChoices,
  PREFERENCES_ARGUMENT,
  PREFERENCES_CHANNEL,
  sidebarChoices,
  sidebarWidths,
  textSizes,
  type LanguageChoice,
  type WindowPreferences,
} from '../shared/window-preferences.ts'
import { listen } from './ipc.ts'
import { keepInFile } from './stored-file.ts'
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

/** In the form that the preload reads. */
export function preferencesArgument(): string {
  return `${PREFERENCES_ARGUMENT}${JSON.stringify(preferences)}`
}

/**
 * Saves the window's language and density together with its theme, and calls `spoken` when the language of
 * the desktop must change.
 */
export async function keepPreferences(folder: string, spoken: () => void): Promise<void> {
  const file = join(folder, FILE)
  preferences = await readPreferences(file)
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
    : (await readPreferences(join(folder, FILE))).language
}

async function readPreferences(file: string): Promise<WindowPreferences> {
  try {
    return preferencesSchema.catch(defaultPreferences).parse(JSON.parse(await readFile(file, 'utf8')))
  } catch {
    return defaultPreferences
  }
}
