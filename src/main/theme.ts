import { readFile } from 'node:fs/promises'
import { nativeTheme } from 'electron'
import { themeSchema, type Theme } from '../shared/theme.ts'
import { THEME_ARGUMENT, THEME_CHANNEL } from '../shared/desktop-channels.ts'
import { listen } from './ipc.ts'
import { keepInFile } from './stored-file.ts'

/** In the form that the preload reads. */
export function themeArgument(): string {
  return `${THEME_ARGUMENT}${nativeTheme.themeSource}`
}

/**
 * Saves the theme with the window's other settings, because the page's session stores nothing on the disk.
 */
export async function keepTheme(file: string): Promise<void> {
  nativeTheme.themeSource = await readTheme(file)
  const keep = keepInFile(file)
  listen(THEME_CHANNEL, themeSchema, (theme) => {
    nativeTheme.themeSource = theme
    // If the theme can't be written, it applies until Sotto stops.
    keep(theme).catch(() => undefined)
  })
}

async function readTheme(file: string): Promise<Theme> {
  try {
    return themeSchema.catch('system').parse(JSON.parse(await readFile(file, 'utf8')))
  } catch {
    return 'system'
  }
}
