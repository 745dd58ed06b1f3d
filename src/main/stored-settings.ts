import { mkdir, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { app } from 'electron'
import {
  desktopSettingsSchema,
  usualDesktopSettings,
  type DesktopControls,
  type DesktopSettings,
  type DesktopView,
} from '../shared/desktop-settings.ts'
import { SottoError } from '../shared/errors.ts'
import { keepInFile, readStored, serialQueue } from './stored-file.ts'
import { autostartEntry, HIDDEN } from './autostart-entry.ts'
import { isPortable } from './system-identity.ts'
import { canNotify } from './notifications.ts'

/**
 * The desktop's settings, in a file next to the window's. They have no content of the user, and are needed
 * before a vault is open.
 */
interface StoredSettings extends Omit<DesktopControls, 'updates'> {
  readonly settings: DesktopSettings
}

/**
 * `hasTray` is called when it's needed, because the tray is created later. `turnQuickEntry` returns false if the system refuses the
 * shortcut.
 */
export async function keepDesktopSettings(
  file: string,
  hasTray: () => boolean,
  turnQuickEntry: (on: boolean) => boolean,
): Promise<StoredSettings> {
  let settings = await readStored(file, desktopSettingsSchema, usualDesktopSettings)
  const view = (): DesktopView => ({
    settings,
    can: {
      closeToTray: hasTray() && process.platform !== 'darwin',
      startAtLogin: canStartAtLogin(),
      notify: canNotify(),
    },
  })
  const keep = keepInFile(file)
  async function change(wanted: DesktopSettings): Promise<DesktopView> {
    try {
      if (wanted.startAtLogin !== settings.startAtLogin) {
        if (!canStartAtLogin()) throw new Error('nothing to start')
        await setStartAtLogin(wanted.startAtLogin)
      }
      if (wanted.quickEntry !== settings.quickEntry && !turnQuickEntry(wanted.quickEntry))
        throw new Error('the shortcut is in use')
      await keep(wanted)
    } catch (cause) {
      throw new SottoError('desktop/setting-refused', { cause })
    }
    settings = wanted
    return view()
  }
  const turn = serialQueue()
  return {
    get settings() {
      return settings
    },
    view,
    // One change at a time, so that the system, the file and this process agree on the last one.
    async change(wanted) {
      const parsed = desktopSettingsSchema.parse(wanted)
      return turn(() => change(parsed))
    },
  }
}

/**
 * Sources have no program of their own that could be started. The portable program may be gone by the next login, and
 * registers nothing.
 */
function canStartAtLogin(): boolean {
  return app.isPackaged && !isPortable({ environment: process.env })
}

/** Throws if the system rejects it. */
async function setStartAtLogin(on: boolean, environment: NodeJS.ProcessEnv = process.env): Promise<void> {
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
