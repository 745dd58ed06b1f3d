import { contextBridge, ipcRenderer } from 'electron'
import {
  APPEARANCE_CHANNEL,
  COMMAND_CHANNEL,
  GO_CHANNEL,
  OPEN_FILE_CHANNEL,
  QUICK_ARGUMENT,
  pageCommands,
  SAVE_CHANNEL,
  THEME_CHANNEL,
} from '../shared/desktop-channels.ts'
import type { Theme } from '../shared/theme.ts'
import { PREFERENCES_CHANNEL } from '../shared/window-preferences.ts'
import type { Desktop } from './bridge.ts'

const appearance: unknown = ipcRenderer.sendSync(APPEARANCE_CHANNEL)
const [theme, preferences]: readonly string[] = Array.isArray(appearance) ? appearance.map(String) : []

const desktop: Desktop = {
  theme: themeNamed(theme),
  quick: process.argv.includes(QUICK_ARGUMENT),
  setTheme: (theme) => ipcRenderer.send(THEME_CHANNEL, theme),
  preferences: preferences ?? '',
  setPreferences: (preferences) => ipcRenderer.send(PREFERENCES_CHANNEL, preferences),
  saveFile: (name, content) => ipcRenderer.invoke(SAVE_CHANNEL, { name, content }),
  openFile: (kind) => ipcRenderer.invoke(OPEN_FILE_CHANNEL, kind),
  // The event itself carries a way to every channel, and stays here.
  onGo: (go) =>
    void ipcRenderer.on(GO_CHANNEL, (_event, place: unknown) => {
      if (typeof place === 'string') go(place)
    }),
  onCommand: (run) =>
    void ipcRenderer.on(COMMAND_CHANNEL, (_event, name: unknown) => {
      const command = pageCommands.find((known) => known === name)
      if (command !== undefined) run(command)
    }),
}

contextBridge.exposeInMainWorld('desktop', desktop)

function themeNamed(name: string | undefined): Theme {
  return name === 'light' || name === 'dark' ? name : 'system'
}
