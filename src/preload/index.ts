import { contextBridge, ipcRenderer } from 'electron'
import type { Theme } from '../shared/theme.ts'
import { THEME_ARGUMENT, THEME_CHANNEL } from '../shared/theme-channel.ts'
import type { Desktop } from './bridge.ts'

const desktop: Desktop = {
  theme: themeNamed(process.argv.find((argument) => argument.startsWith(THEME_ARGUMENT))?.slice(THEME_ARGUMENT.length)),
  setTheme: (theme) => ipcRenderer.send(THEME_CHANNEL, theme),
}

contextBridge.exposeInMainWorld('desktop', desktop)

function themeNamed(name: string | undefined): Theme {
  return name === 'light' || name === 'dark' ? name : 'system'
}
