import { readFileSync, writeFileSync } from 'node:fs'
import { ipcMain, nativeTheme } from 'electron'
import { themeSchema, type Theme } from '../shared/theme.ts'
import { THEME_ARGUMENT, THEME_CHANNEL } from '../shared/theme-channel.ts'
import { isOwnPage } from './own-page.ts'

/** As the preload reads it. */
export function themeArgument(): string {
  return `${THEME_ARGUMENT}${nativeTheme.themeSource}`
}

/** Keeps the theme beside the window's other settings: the page's own session keeps nothing on disk. */
export function keepTheme(file: string): void {
  nativeTheme.themeSource = readTheme(file)
  ipcMain.on(THEME_CHANNEL, ({ senderFrame }, theme: unknown) => {
    const parsed = themeSchema.safeParse(theme)
    if (!parsed.success || !isOwnPage(senderFrame)) return
    nativeTheme.themeSource = parsed.data
    try {
      writeFileSync(file, JSON.stringify(parsed.data), { mode: 0o600 })
    } catch {
      // It holds until Sotto stops.
    }
  })
}

function readTheme(file: string): Theme {
  try {
    return themeSchema.catch('system').parse(JSON.parse(readFileSync(file, 'utf8')))
  } catch {
    return 'system'
  }
}
