import { join } from 'node:path'
import { app, powerMonitor, type Session } from 'electron'
import { applicationRoot } from '../host/application-root.ts'
import { rendererFiles } from '../host/renderer-files.ts'
import { serveOwnerSocket } from '../host/owner-socket.ts'
import { startHost, type Host } from '../host/host.ts'
import type { DataFolder } from '../host/data-folder.ts'
import type { Settings } from '../host/settings.ts'
import type { AppStatus } from '../shared/app-status.ts'
import { COMMAND_CHANNEL } from '../shared/desktop-channels.ts'
import { showAbout, showLicences } from './about.ts'
import { serveAppScheme } from './app-scheme.ts'
import { offerFileDialogs } from './file-dialogs.ts'
import { keepDesktopSettings } from './stored-settings.ts'
import { createMainWindow, type MainWindow } from './main-window.ts'
import { setApplicationMenu } from './menu.ts'
import { createNativeConfirm } from './native-confirm.ts'
import { settingOf } from './notification-events.ts'
import { notify, notifyStaysInTray } from './notifications.ts'
import { openLink } from './open-link.ts'
import { followSottoLink } from './open-sotto-link.ts'
import { denyPermissions } from './permissions.ts'
import { keepPreferences, keepTheme, tellAppearance } from './preferences.ts'
import { createQuickEntry } from './quick-entry.ts'
import { printPage, savePageAsPdf } from './print-page.ts'
import { denyNetwork, lockContents } from './window-lockdown.ts'
import { watchStatus } from './status-watch.ts'
import { startsHidden } from './system-identity.ts'
import { showTray, type TrayIcon } from './tray.ts'
import { startUpdates } from './updates/start-updates.ts'

interface ShellParts {
  readonly settings: Settings
  readonly dataFolder: DataFolder
  /** The desktop's own files. */
  readonly folder: string
  readonly session: Session
  readonly devTools: boolean
  readonly argv: readonly string[]
  /** Stops everything, so that another version can start. */
  readonly leave: () => Promise<void>
}

export interface Shell extends AsyncDisposable {
  show(): Promise<void>
  /** Opens the target of a `sotto://` link; the text can be anything. */
  openLink(text: string): Promise<void>
}

/**
 * Connects the window to the host. The window opens first. The host, which opens the vault and the store,
 * starts after the first paint. Returns a function that closes both. Throws host/already-running, and all
 * other failures to start the host.
 */
export async function startShell({
  settings,
  dataFolder,
  folder,
  session,
  devTools,
  argv,
  leave,
}: ShellParts): Promise<Shell> {
  await using parts = new AsyncDisposableStack()
  denyPermissions(session)
  let tray: TrayIcon | null = null
  let redraw = (): void => undefined
  const fileIn = (name: string): string => join(folder, name)
  const preload = join(applicationRoot, 'out', 'preload', 'index.cjs')
  const quickEntry = parts.use(createQuickEntry({ session, preload, devTools }))
  const [files, desktop, window] = await Promise.all([
    rendererFiles(),
    keepDesktopSettings(
      fileIn('settings.json'),
      () => tray !== null,
      (on) => quickEntry.turn(on),
    ),
    createMainWindow({
      session,
      preload,
      devTools,
      stateFile: fileIn('window.json'),
    }),
    denyNetwork(session, { devTools }),
    keepTheme(fileIn('theme.json')),
    keepPreferences(folder, () => redraw()),
  ])
  tellAppearance()
  const confirm = createNativeConfirm(() => window.current())
  app.on('web-contents-created', (_event, contents) =>
    lockContents(contents, (address) => void openLink(address, confirm)),
  )
  const saveFile = offerFileDialogs(() => window.current())

  const starting = Promise.withResolvers<Host>()
  starting.promise.catch(() => undefined)
  serveAppScheme(session, {
    api: async (request, caller) => (await starting.promise).api(request, caller),
    filesOfCore: async (request) => (await starting.promise).files(request),
    files,
  })

  let look = (): void => undefined
  const act = (work: (host: Host) => Promise<unknown>): void =>
    void starting.promise
      .then(work)
      .catch(() => undefined)
      .then(() => look())
  const show = (place?: string): void => void window.show(place)
  const verify = (): void => act((host) => host.verifyEnclave())
  // The settings show why secrets that are only in memory can't be locked.
  const lock = (): void => act((host) => host.lock().catch(() => show('#/settings')))
  const setMenu = (): void =>
    setApplicationMenu(
      {
        show,
        verify,
        lock,
        run: (command) => window.current()?.webContents.send(COMMAND_CHANNEL, command),
        print: () => printPage(window.current()),
        savePdf: () => void savePageAsPdf(window.current(), saveFile),
        about: () => void showAbout(window.current(), folder),
        licences: () => void showLicences(folder),
      },
      { devTools },
    )
  setMenu()
  let lastStatus: AppStatus | null = null
  redraw = () => {
    setMenu()
    tray?.tell(lastStatus)
  }
  goOnWithoutWindow(window, () => tray !== null && desktop.settings.closeToTray, show)
  app.on('activate', () => show())
  const hidden = startsHidden(app, argv, process)
  if (!hidden) await window.show()

  // Its pictures are read from the disk at once: not before the window has painted.
  tray = showTray({
    show,
    verify,
    serve: (on) => act((host) => host.serve(on)),
    lock,
    quit: () => app.quit(),
  })
  if (hidden && tray === null) await window.show()

  const updates = parts.use(
    await startUpdates({
      file: fileIn('updates.json'),
      wanted: () => desktop.settings.lookForUpdates,
      leave,
    }),
  )
  const { view, change } = desktop
  const host = parts.use(
    await startHost({
      settings,
      folder: dataFolder,
      confirm,
      desktop: { view, change, updates },
      onChange: () => look(),
    }),
  )
  starting.resolve(host)
  updates.begin()
  const watch = parts.use(
    watchStatus(host, (status, events) => {
      // The page can't navigate: it starts over here, so that nothing it showed stays in its memory.
      if (lastStatus?.open === true && status?.open === false) {
        window.current()?.webContents.reload()
        quickEntry.close()
      }
      tray?.tell((lastStatus = status))
      // The person already sees it in the focused window.
      if (window.current()?.isFocused() === true) return
      for (const kind of events)
        if (desktop.settings.notifications[settingOf[kind]]) notify(kind, { show, verify })
    }),
  )
  look = () => watch.look()
  parts.use(
    await serveOwnerSocket(settings.dataDir, host, {
      open: async () => {
        await window.show()
        return null
      },
    }),
  )
  host.prepare()
  // Another program may have the shortcut. The setting stays on for the next start.
  if (desktop.settings.quickEntry) quickEntry.turn(true)
  powerMonitor.on('suspend', () => act((awake) => awake.sleeping()))
  powerMonitor.on('resume', () => act((awake) => awake.renewVerdict()))

  const owned = parts.move()
  return {
    show: () => window.show(),
    openLink: (text) =>
      followSottoLink(text, {
        host,
        confirm,
        show: (place) => window.show(place),
        window: () => window.current(),
      }),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}

/** Continues without a window if the person chose it and can still open Sotto, and shows that once. */
function goOnWithoutWindow(
  window: Pick<MainWindow, 'takeClosed'>,
  staysInTray: () => boolean,
  show: () => void,
): void {
  let notified = false
  app.on('window-all-closed', () => {
    // Only the small window of the shortcut was open, and Sotto was in use without a window before.
    if (!window.takeClosed()) return
    if (process.platform !== 'darwin' && !staysInTray()) {
      app.quit()
      return
    }
    if (!notified) notifyStaysInTray(show)
    notified = true
  })
}
