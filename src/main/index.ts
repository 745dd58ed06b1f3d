import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { app, dialog, Notification, powerMonitor, session } from 'electron'
import { applicationRoot, readSettings, rendererFiles, serveOwnerSocket, SettingError, startHost, type Settings } from '../host/index.ts'
import { asSottoError, SottoError } from '../shared/errors.ts'
import { registerAppScheme, serveAppScheme } from './app-scheme.ts'
import { createMainWindow } from './main-window.ts'
import { setApplicationMenu } from './menu.ts'
import { createNativeConfirm } from './native-confirm.ts'
import { openLink } from './open-link.ts'
import { denyPermissions } from './permissions.ts'
import { denyNetwork } from './renderer-network.ts'
import { keepPreferences } from './preferences.ts'
import { keepTheme } from './theme.ts'
import { showTray } from './tray.ts'
import { lockContents } from './window-lockdown.ts'

/** In memory: what the page keeps, and what Chromium caches of it, ends with Sotto. */
const PARTITION = 'sotto'
const CLOSING_MS = 5_000

const devTools = !app.isPackaged

try {
  run(prepare())
} catch (thrown) {
  fail(thrown)
}

/** What must be said before `ready`. One instance for each data folder, whose own folder for Chromium makes the lock. */
function prepare(): { settings: Settings; folder: string } {
  app.setName('Sotto')
  app.enableSandbox()
  registerAppScheme()
  const settings = readSettings()
  const folder = join(settings.dataDir, 'desktop')
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
  } catch (cause) {
    throw new SottoError('store/unwritable', { cause })
  }
  app.setPath('userData', folder)
  return { settings, folder }
}

function run({ settings, folder }: { settings: Settings; folder: string }): void {
  if (!app.requestSingleInstanceLock()) {
    // The first instance is told, and shows itself.
    app.quit()
    return
  }
  const running = app.whenReady().then(() => start(settings, folder))
  running.catch(fail)

  let closed = false
  app.on('will-quit', (event) => {
    if (closed) return
    event.preventDefault()
    const closing = running.then((parts) => parts.disposeAsync())
    void Promise.race([closing, new Promise((waited) => setTimeout(waited, CLOSING_MS))])
      .catch(() => undefined)
      .then(() => {
        closed = true
        app.quit()
      })
  })
}

/** Joins the window to the host. What it returns closes both. */
async function start(settings: Settings, folder: string): Promise<AsyncDisposableStack> {
  await using parts = new AsyncDisposableStack()
  const own = session.fromPartition(PARTITION)
  denyPermissions(own)
  await denyNetwork(own, { devTools })
  keepTheme(join(folder, 'theme.json'))
  keepPreferences(join(folder, 'preferences.json'))
  setApplicationMenu({ devTools })

  const window = createMainWindow({ session: own, preload: join(applicationRoot, 'out', 'preload', 'index.cjs'), devTools })
  const confirm = createNativeConfirm(() => window.current())
  app.on('web-contents-created', (_event, contents) => lockContents(contents, (address) => void openLink(address, confirm)))

  const host = parts.use(await startHost({ settings, confirm }))
  parts.use(await serveOwnerSocket(settings.dataDir, host, {
    open: () => {
      window.show()
      return Promise.resolve(null)
    },
  }))
  serveAppScheme(own, { api: (request, context) => host.api(request, context), files: await rendererFiles() })
  powerMonitor.on('resume', () => host.invalidateVerdict())

  stayInTray(() => window.show())
  app.on('second-instance', () => window.show())
  app.on('activate', () => window.show())
  window.show()
  return parts.move()
}

/** The local API goes on when the window is closed, and says so. */
function stayInTray(show: () => void): void {
  const inTray = showTray({ show, quit: () => app.quit() })
  let told = false
  app.on('window-all-closed', () => {
    if (!inTray && process.platform !== 'darwin') {
      app.quit()
      return
    }
    if (told || !Notification.isSupported()) return
    told = true
    new Notification({ title: 'Sotto is still running', body: 'The local API stays up. Quit Sotto from its icon to stop it.' }).show()
  })
}

function fail(thrown: unknown): void {
  const says = thrown instanceof SettingError ? thrown.message : sentence(thrown)
  dialog.showErrorBox('Sotto cannot start', says)
  app.exit(1)
}

function sentence(thrown: unknown): string {
  const { message, code } = asSottoError(thrown)
  return `${message}\n\n${code}`
}
