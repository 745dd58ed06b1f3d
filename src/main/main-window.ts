import { BrowserWindow, nativeTheme, type Session } from 'electron'
import { WINDOW_URL } from './app-scheme.ts'
import { showContextMenu } from './menu.ts'
import { preferencesArgument } from './preferences.ts'
import { themeArgument } from './theme.ts'
import { lockedPreferences } from './window-lockdown.ts'

/** The page's own first colours, so that it does not flash. */
const BACKGROUND = { light: '#fdfcfa', dark: '#161615' }

export interface MainWindow {
  /** Null while it is closed: Sotto goes on in the tray. */
  current(): BrowserWindow | null
  /** To the front, and open if it was closed. */
  show(): void
}

export function createMainWindow({ session, preload, devTools }: { session: Session; preload: string; devTools: boolean }): MainWindow {
  let window: BrowserWindow | null = null

  function open(): BrowserWindow {
    const opened = new BrowserWindow({
      width: 1180,
      height: 800,
      minWidth: 640,
      minHeight: 480,
      title: 'Sotto',
      show: false,
      autoHideMenuBar: true,
      backgroundColor: BACKGROUND[nativeTheme.shouldUseDarkColors ? 'dark' : 'light'],
      webPreferences: { ...lockedPreferences(session, { devTools }), preload, additionalArguments: [themeArgument(), preferencesArgument()] },
    })
    opened.once('ready-to-show', () => opened.show())
    opened.once('closed', () => (window = null))
    opened.webContents.on('context-menu', (_event, at) => showContextMenu(opened, at))
    void opened.loadURL(WINDOW_URL)
    return opened
  }

  return {
    current: () => window,
    show() {
      if (window === null) {
        window = open()
        return
      }
      if (window.isMinimized()) window.restore()
      window.show()
      window.focus()
    },
  }
}
