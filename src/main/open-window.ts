import { BrowserWindow, nativeTheme, type BrowserWindowConstructorOptions, type Session } from 'electron'

/** The first colors of the page, so that it doesn't flash. */
const BACKGROUND = { light: '#fdfcfa', dark: '#161615' }

/**
 * macOS checks spelling with its own dictionaries. On other systems, Chromium would download them from a public address.
 */
export const CHECKS_SPELLING = process.platform === 'darwin'

/** The parts that each window gets from the application. */
export interface WindowParts {
  readonly session: Session
  readonly preload: string
  readonly devTools: boolean
}

/**
 * Opens a hidden window of the page. No other function opens one, so every window has each preference that limits the
 * page's access, including Electron's defaults.
 *
 * @param flags further arguments for the preload
 */
export function openWindow(
  options: Omit<BrowserWindowConstructorOptions, 'webPreferences'>,
  { session, preload, devTools }: WindowParts,
  ...flags: readonly string[]
): BrowserWindow {
  return new BrowserWindow({
    ...options,
    title: 'Sotto',
    show: false,
    autoHideMenuBar: true,
    backgroundColor: BACKGROUND[nativeTheme.shouldUseDarkColors ? 'dark' : 'light'],
    webPreferences: {
      session,
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      nodeIntegrationInWorker: false,
      nodeIntegrationInSubFrames: false,
      webSecurity: true,
      allowRunningInsecureContent: false,
      experimentalFeatures: false,
      webviewTag: false,
      plugins: false,
      navigateOnDragDrop: false,
      // alert() and its like would look like Sotto's own dialogs.
      disableDialogs: true,
      spellcheck: CHECKS_SPELLING,
      devTools,
      preload,
      additionalArguments: [...flags],
    },
  })
}
