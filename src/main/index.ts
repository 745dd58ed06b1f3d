import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { t } from '@lingui/core/macro'
import { app, dialog, powerMonitor, session } from 'electron'
import { DataFolder } from '../host/data-folder.ts'
import { keepInspectorClosed } from '../host/inspector-guard.ts'
import { readSettings, type Settings } from '../host/settings.ts'
import { SettingError } from '../host/log-settings.ts'
import { asSottoError, explained, SottoError } from '../shared/errors.ts'
import { registerAppScheme } from './app-scheme.ts'
import { checkCommandLine } from './command-line.ts'
import { speak, spoken } from './language.ts'
import { linkAmong } from './open-sotto-link.ts'
import { storedLanguage } from './preferences.ts'
import { startShell, type Shell } from './shell.ts'
import { identifyProcess, registerLinks } from './system-identity.ts'

/** In memory: the page's storage and Chromium's cache end with Sotto. */
const PARTITION = 'sotto'
const CLOSING_MS = 5_000

/** Settled once Sotto runs, or could not be started. A second instance never does either. */
const started = Promise.withResolvers<Shell>()
started.promise.catch(() => undefined)
let folder: string | undefined

// Electron delays `ready` until this module and its awaits complete, so code that must run before `ready`
// comes first.
keepInspectorClosed()
identifyProcess(app, process)
// macOS may tell of a link before Sotto is ready.
app.on('open-url', (event, url) => {
  event.preventDefault()
  open(url)
})
try {
  // In a checkout, tests control the window with Chromium's debugging switches.
  if (app.isPackaged) checkCommandLine()
  app.enableSandbox()
  registerAppScheme()
  const settings = await readSettings()
  const dataFolder = await DataFolder.check(settings.dataDir)
  folder = join(dataFolder.path, 'desktop')
  await prepare(folder)
  run(settings, dataFolder, folder)
} catch (thrown) {
  await fail(thrown)
}

/**
 * One instance for each data folder: the lock is in Chromium's own folder, which must exist for setPath. The check of the data folder
 * does not look into it, because Chromium sets its modes and creates links there.
 */
async function prepare(desktop: string): Promise<void> {
  const chromium = join(desktop, 'chromium')
  try {
    await mkdir(chromium, { recursive: true, mode: 0o700 })
  } catch (cause) {
    throw new SottoError('store/unwritable', { cause })
  }
  app.setPath('userData', chromium)
}

function run(settings: Settings, dataFolder: DataFolder, desktop: string): void {
  if (!app.requestSingleInstanceLock()) {
    // The first instance receives the arguments of this one, and shows its window.
    app.quit()
    return
  }
  const running = app.whenReady().then(() =>
    startShell({
      settings,
      dataFolder,
      folder: desktop,
      session: session.fromPartition(PARTITION),
      devTools: !app.isPackaged,
      argv: process.argv,
      leave,
    }),
  )
  running.then(started.resolve, started.reject)
  running.catch(fail)
  // After the start, because the call to the system may take a while.
  running.then(
    () => registerLinks(app, { environment: process.env }),
    () => undefined,
  )

  app.on('second-instance', (_event, argv) => open(linkAmong(argv)))
  const first = linkAmong(process.argv)
  if (first !== undefined) open(first)
  const close = quitGracefully(running)
  async function leave(): Promise<void> {
    await close()
    // The new version may be started before this one has ended.
    app.releaseSingleInstanceLock()
  }
}

function open(link: string | undefined): void {
  started.promise.then(
    (shell) => (link === undefined ? shell.show() : shell.openLink(link)),
    () => undefined,
  )
}

/**
 * Before the process ends, the host completes pending writes and releases the data folder, also when the
 * computer is shut down. The returned function does that before a quit.
 */
function quitGracefully(running: Promise<Shell>): () => Promise<void> {
  let closing: Promise<void> | undefined
  let closed = false
  const close = (): Promise<void> => {
    closing ??= Promise.race([
      running.then((shell) => shell[Symbol.asyncDispose]()),
      new Promise<void>((waited) => setTimeout(waited, CLOSING_MS)),
    ])
      .catch(() => undefined)
      .then(() => void (closed = true))
    return closing
  }
  app.on('will-quit', (event) => {
    if (closed) return
    event.preventDefault()
    void close().then(() => app.quit())
  })
  void app.whenReady().then(() => {
    powerMonitor.on('shutdown', () => app.quit())
  })
  return close
}

/** Uses the window's language. */
async function fail(thrown: unknown): Promise<void> {
  await speak(await storedLanguage(folder))
  dialog.showErrorBox(
    t`Sotto can’t start`,
    thrown instanceof SettingError ? spoken(thrown.reason) : sentenceOf(asSottoError(thrown)),
  )
  app.exit(1)
}

function sentenceOf(failure: SottoError): string {
  return `${spoken(explained(failure))}\n\n${failure.code}`
}
