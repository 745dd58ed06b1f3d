import { readFile, writeFile } from 'node:fs/promises'
import { z } from 'zod'
import { defaultPreferences, densities, languageChoices, PREFERENCES_ARGUMENT, PREFERENCES_CHANNEL, type WindowPreferences } from '../shared/window-preferences.ts'
import { listen } from './ipc.ts'
import { speak } from './language.ts'

const preferencesSchema = z.strictObject({ language: z.enum(languageChoices), density: z.enum(densities) })

let preferences: WindowPreferences = defaultPreferences

/** As the preload reads it. */
export function preferencesArgument(): string {
  return `${PREFERENCES_ARGUMENT}${JSON.stringify(preferences)}`
}

/** Keeps the window's language and density beside its theme; what is not of the page speaks that language too. */
export async function keepPreferences(file: string, spoken: () => void): Promise<void> {
  preferences = await readPreferences(file)
  await speak(preferences.language)
  listen(PREFERENCES_CHANNEL, preferencesSchema, (asked) => {
    if (asked.language !== preferences.language) void speak(asked.language).then(spoken)
    preferences = asked
    // Where they cannot be written they hold until Sotto stops.
    writeFile(file, JSON.stringify(asked), { mode: 0o600 }).catch(() => undefined)
  })
}

async function readPreferences(file: string): Promise<WindowPreferences> {
  try {
    return preferencesSchema.catch(defaultPreferences).parse(JSON.parse(await readFile(file, 'utf8')))
  } catch {
    return defaultPreferences
  }
}
