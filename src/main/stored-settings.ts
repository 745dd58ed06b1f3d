import { readFile } from 'node:fs/promises'
import {
  desktopSettingsSchema,
  usualDesktopSettings,
  type DesktopControls,
  type DesktopSettings,
  type DesktopView,
} from '../shared/desktop-settings.ts'
import { SottoError } from '../shared/errors.ts'
import { serialQueue, keepInFile } from './stored-file.ts'
import { canStartAtLogin, setStartAtLogin } from './login-item.ts'
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
  let settings = await readSettingsFile(file)
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

async function readSettingsFile(file: string): Promise<DesktopSettings> {
  try {
    return desktopSettingsSchema.catch(usualDesktopSettings).parse(JSON.parse(await readFile(file, 'utf8')))
  } catch {
    return usualDesktopSettings
  }
}
