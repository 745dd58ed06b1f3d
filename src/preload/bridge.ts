import type { OpenableKind, OpenedFile, PageCommand, Saved } from '../shared/desktop-channels.ts'
import type { Theme } from '../shared/theme.ts'
import type { WindowPreferences } from '../shared/window-preferences.ts'

/** What only the desktop app can answer. The page asks the UI server at /api for everything else. */
export interface Desktop {
  /** As it was when this page was loaded. The session of the window saves nothing on the disk. */
  readonly theme: Theme
  /** This is the small window that a shortcut of the system opens. */
  readonly quick: boolean
  /** Also the theme of the title bar, the menus and the dialogs. */
  setTheme(theme: Theme): void
  /** As they were when this page was loaded, as JSON. */
  readonly preferences: string
  setPreferences(preferences: WindowPreferences): void
  /** Has the system ask where to save it. */
  saveFile(name: string, content: Uint8Array): Promise<Saved>
  /** Has the system ask which file. */
  openFile(kind: OpenableKind): Promise<OpenedFile>
  /** Called with a place in the window, such as `#/wallet`, when the menu, a notification or a link leads there. */
  onGo(go: (place: string) => void): void
  /** Called when the menu chooses a command of the page. */
  onCommand(run: (command: PageCommand) => void): void
}

declare global {
  interface Window {
    /** Absent in a browser tab. */
    readonly desktop?: Desktop
  }
}
