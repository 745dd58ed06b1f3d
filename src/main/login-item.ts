import { app } from 'electron'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/** Started so, Sotto opens no window of its own. */
export const HIDDEN = '--hidden'

/** What has a Linux desktop start a program at login. Throws where its path cannot be said. */
export function autostartEntry(program: string): string {
  return [
    '[Desktop Entry]',
    'Type=Application',
    'Name=Sotto',
    `Exec=${quoted(program)} ${HIDDEN}`,
    'Terminal=false',
    'X-GNOME-Autostart-enabled=true',
    '',
  ].join('\n')
}

/** Desktop Entry Specification: a quoted argument, in a value of type string, whose own backslashes are doubled once more; % begins a field code. */
function quoted(argument: string): string {
  if (/[\p{Cc}]/u.test(argument)) throw new Error('a path with control characters cannot be started at login')
  return `"${argument
    .replaceAll(/["`$\\]/g, '\\$&')
    .replaceAll('\\', '\\\\')
    .replaceAll('%', '%%')}"`
}

/** Sources and unpacked builds have no program of their own that could be started. */
export function canStartAtLogin(): boolean {
  return app.isPackaged
}

/** Throws where the system does not take it. */
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
