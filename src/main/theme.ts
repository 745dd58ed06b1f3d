import { readFile } from 'node:fs/promises'
import { nativeTheme } from 'electron'
import { themeSchema, type Theme } from '../shared/theme.ts'
import { THEME_ARGUMENT, THEME_CHANNEL } from '../shared/theme-channel.ts'
import { listen } from './ipc.ts'
import { keepInFile } from './stored-file.ts'

/** As the preload reads it. */
export function themeArgument(): string {
  return `${THEME_ARGUMENT}${nativeTheme.themeSource}`
}

/** Keeps the theme beside the window's other settings: the page's own session keeps nothing on disk. */
export async function keepTheme(file: string): Promise<void> {
  nativeTheme.themeSource = await readTheme(file)
  const keep = keepInFile(file)
  listen(THEME_CHANNEL, themeSchema, (theme) => {
    nativeTheme.themeSource = theme
    // Where it cannot be written it holds until Sotto stops.
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
