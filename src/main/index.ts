import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { t } from '@lingui/core/macro'
import { app, dialog, powerMonitor, session } from 'electron'
import { readSettings, SettingError, type Settings } from '../host/index.ts'
import { asSottoError, SottoError } from '../shared/errors.ts'
import { registerAppScheme } from './app-scheme.ts'
import { linkAmong } from './open-sotto-link.ts'
import { startShell, type Shell } from './shell.ts'

/** In memory: what the page keeps, and what Chromium caches of it, ends with Sotto. */
const PARTITION = 'sotto'
const CLOSING_MS = 5_000

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
    // Before `ready`, so at once; setPath takes no folder that does not exist.
    mkdirSync(folder, { recursive: true, mode: 0o700 })
  } catch (cause) {
    throw new SottoError('store/unwritable', { cause })
  }
  app.setPath('userData', folder)
  return { settings, folder }
}

function run({ settings, folder }: { settings: Settings; folder: string }): void {
  if (!app.requestSingleInstanceLock()) {
    // The first instance is told, with what this one was started with, and shows itself.
    app.quit()
    return
  }
  // A packaged Sotto alone: from its sources the link would lead to Electron itself.
  if (app.isPackaged) app.setAsDefaultProtocolClient('sotto')
  const running: Promise<Shell> = app.whenReady().then(() => startShell({ settings, folder, session: session.fromPartition(PARTITION), devTools: !app.isPackaged, argv: process.argv, leave }))
  running.catch(fail)

  const open = (link: string | undefined): void => {
    running.then((shell) => (link === undefined ? shell.show() : shell.openLink(link)), () => undefined)
  }
  // macOS may tell of a link before Sotto is ready.
  app.on('open-url', (event, url) => {
    event.preventDefault()
    open(url)
  })
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

/**
 * The host writes what is under way, and lets the data folder go, before the process ends; so it does when the machine is shut
 * down. What it returns does that ahead of a quit.
 */
function quitGracefully(running: Promise<Shell>): () => Promise<void> {
  let closing: Promise<void> | undefined
  let closed = false
  const close = (): Promise<void> => {
    closing ??= Promise.race([running.then((shell) => shell[Symbol.asyncDispose]()), new Promise<void>((waited) => setTimeout(waited, CLOSING_MS))])
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

function fail(thrown: unknown): void {
  const says = thrown instanceof SettingError ? thrown.message : sentence(thrown)
  dialog.showErrorBox(t`Sotto cannot start`, says)
  app.exit(1)
}

function sentence(thrown: unknown): string {
  const { message, code } = asSottoError(thrown)
  return `${message}\n\n${code}`
}
