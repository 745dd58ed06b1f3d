import { globalShortcut, type BrowserWindow } from 'electron'
import { QUICK_ARGUMENT } from '../shared/desktop-channels.ts'
import { QUICK_ENTRY_KEYS } from '../shared/desktop-settings.ts'
import { WINDOW_URL } from './app-scheme.ts'
import { openWindow, type WindowParts } from './open-window.ts'

const SIZE = { width: 480, height: 560 }

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
export function createQuickEntry(parts: WindowParts): QuickEntry {
  let window: BrowserWindow | null = null

  function open(): BrowserWindow {
    const opened = openWindow(
      {
        ...SIZE,
        center: true,
        alwaysOnTop: true,
        minimizable: false,
        maximizable: false,
        fullscreenable: false,
        skipTaskbar: true,
      },
      parts,
      QUICK_ARGUMENT,
    )
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
