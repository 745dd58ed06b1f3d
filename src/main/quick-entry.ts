import { BrowserWindow, globalShortcut, nativeTheme, type Session } from 'electron'
import { QUICK_ARGUMENT } from '../shared/desktop-channels.ts'
import { QUICK_ENTRY_KEYS } from '../shared/desktop-settings.ts'
import { WINDOW_URL } from './app-scheme.ts'
import { BACKGROUND } from './main-window.ts'
import { preferencesArgument } from './preferences.ts'
import { themeArgument } from './theme.ts'
import { lockedPreferences } from './window-lockdown.ts'

const SIZE = { width: 480, height: 560 }

interface QuickEntryParts {
  readonly session: Session
  readonly preload: string
  readonly devTools: boolean
}

/** A small window with a new chat, which a shortcut opens from any program. */
export interface QuickEntry extends Disposable {
  /**
   * Registers the shortcut with the system, or ends that.
   * @returns false if the system refuses, such as for a shortcut of another program
   */
  turn(on: boolean): boolean
  /** Closes the window, because Sotto was locked. */
  close(): void
}

/** Opens no window before the shortcut is pressed. The window has the restrictions of the main window. */
export function createQuickEntry({ session, preload, devTools }: QuickEntryParts): QuickEntry {
  let window: BrowserWindow | null = null

  function open(): BrowserWindow {
    const opened = new BrowserWindow({
      ...SIZE,
      center: true,
      title: 'Sotto',
      show: false,
      alwaysOnTop: true,
      minimizable: false,
      maximizable: false,
      fullscreenable: false,
      skipTaskbar: true,
      autoHideMenuBar: true,
      backgroundColor: BACKGROUND[nativeTheme.shouldUseDarkColors ? 'dark' : 'light'],
      webPreferences: {
        ...lockedPreferences(session, { devTools }),
        preload,
        additionalArguments: [themeArgument(), preferencesArgument(), QUICK_ARGUMENT],
      },
    })
    opened.once('ready-to-show', () => opened.show())
    opened.once('closed', () => (window = null))
    // A page that ends would leave an empty window above all others.
    opened.webContents.on('render-process-gone', () => opened.destroy())
    void opened.loadURL(WINDOW_URL)
    return opened
  }
  const close = (): void => window?.destroy()
  return {
    close,
    turn(on) {
      globalShortcut.unregister(QUICK_ENTRY_KEYS)
      if (on)
        return globalShortcut.register(QUICK_ENTRY_KEYS, () => {
          if (window) close()
          else window = open()
        })
      close()
      return true
    },
    [Symbol.dispose]() {
      globalShortcut.unregister(QUICK_ENTRY_KEYS)
      close()
    },
  }
}
