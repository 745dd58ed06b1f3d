import { readFileSync, writeFileSync } from 'node:fs'
import { ipcMain } from 'electron'
import { defaultPreferences, PREFERENCES_ARGUMENT, PREFERENCES_CHANNEL, type WindowPreferences } from '../shared/window-preferences.ts'
import { preferencesSchema } from '../shared/window-preferences-schema.ts'
import { isOwnPage } from './own-page.ts'

let preferences: WindowPreferences = defaultPreferences

/** As the preload reads it. */
export function preferencesArgument(): string {
  return `${PREFERENCES_ARGUMENT}${JSON.stringify(preferences)}`
}

/** Keeps the window's language and density beside its theme. */
export function keepPreferences(file: string): void {
  preferences = readPreferences(file)
  ipcMain.on(PREFERENCES_CHANNEL, ({ senderFrame }, asked: unknown) => {
    const parsed = preferencesSchema.safeParse(asked)
    if (!parsed.success || !isOwnPage(senderFrame)) return
    preferences = parsed.data
    try {
      writeFileSync(file, JSON.stringify(parsed.data), { mode: 0o600 })
    } catch {
      // They hold until Sotto stops.
    }
  })
}

function readPreferences(file: string): WindowPreferences {
  try {
    return preferencesSchema.catch(defaultPreferences).parse(JSON.parse(readFileSync(file, 'utf8')))
  } catch {
    return defaultPreferences
  }
}
