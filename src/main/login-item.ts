import { mkdir, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { app } from 'electron'
import { autostartEntry, HIDDEN } from './autostart-entry.ts'
import { isPortable } from './system-identity.ts'

/**
 * Sources have no program of their own that could be started. The portable program may be gone by the next login, and
 * registers nothing.
 */
export function canStartAtLogin(): boolean {
  return app.isPackaged && !isPortable({ environment: process.env })
}

/** Throws if the system rejects it. */
export async function setStartAtLogin(
  on: boolean,
  environment: NodeJS.ProcessEnv = process.env,
): Promise<void> {
  if (process.platform !== 'linux') {
    app.setLoginItemSettings({ openAtLogin: on, args: [HIDDEN] })
    return
  }
  // https://specifications.freedesktop.org/autostart-spec/latest/
  const file = join(
    environment['XDG_CONFIG_HOME'] || join(app.getPath('home'), '.config'),
    'autostart',
    'sotto.desktop',
  )
  if (!on) {
    await rm(file, { force: true })
    return
  }
  await mkdir(dirname(file), { recursive: true, mode: 0o700 })
  // An AppImage runs from a mount that is another one at each start.
  await writeFile(file, autostartEntry(environment['APPIMAGE'] || process.execPath), { mode: 0o600 })
}
