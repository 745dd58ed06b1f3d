import { app } from 'electron'
import { SettingError } from '../host/log-settings.ts'
import { msg } from '../shared/localized-text.ts'
import { HIDDEN } from './autostart-entry.ts'

const FLAG = /^$/

/**
 * The switches that a packaged Sotto starts with, by name, each with the values that it may have. Everything else is refused: a link,
 * a shortcut or another program can carry switches that hand the page to a debugger, turn the sandbox or the web's own protection
 * off, redirect the network, or start a program in a process's place, and each Chromium brings new ones.
 */
const ALLOWED: ReadonlyMap<string, RegExp> = new Map([
  // Sotto's own: start at login without a window.
  [HIDDEN.slice('--'.length), FLAG],
  // The installer for Windows starts the new version with it after an update.
  ['updated', FLAG],
  // Windows adds it when a click on a notification starts the app (COM activation).
  ['embedding', FLAG],
  // Linux desktops: the display server, its window frames and its input methods, which Chromium does not always detect.
  ['ozone-platform', /^(?:wayland|x11)$/],
  ['ozone-platform-hint', /^(?:auto|wayland|x11)$/],
  [
    'enable-features',
    /^(?:UseOzonePlatform|WaylandWindowDecorations)(?:,(?:UseOzonePlatform|WaylandWindowDecorations))*$/,
  ],
  ['enable-wayland-ime', FLAG],
  ['wayland-text-input-version', /^[13]$/],
  // Displays whose scale is not detected, drivers that draw nothing, and screen readers that are not detected.
  ['force-device-scale-factor', /^\d(?:\.\d{1,3})?$/],
  ['disable-gpu', FLAG],
  ['force-renderer-accessibility', FLAG],
])

/** The serial number that the Finder adds on older versions of macOS. */
const PROCESS_SERIAL_NUMBER = /^-psn_\d+_\d+$/

/**
 * Refuses to start a packaged app with a switch that is not on the list. To be called before `app.enableSandbox`, which removes one of
 * them. Ending is the only safe answer: Chromium and V8 read some switches before any code of the app runs.
 *
 * @throws {SettingError} if the command line, or a variable that Electron turns into a switch, holds a switch that is not allowed
 */
export function checkCommandLine(): void {
  const refused = findRefusedSwitch(process.argv.slice(1), process.platform)
  // ELECTRON_DISABLE_SANDBOX appends this switch without a trace in argv.
  if (refused?.startsWith('--no-sandbox') || app.commandLine.hasSwitch('no-sandbox')) {
    throw new SettingError(
      msg(
        'Sotto needs the Chromium sandbox. Start Sotto without --no-sandbox. If the system restricts user namespaces, install the deb or rpm package.',
      ),
    )
  }
  if (refused !== undefined)
    throw new SettingError(
      msg('Sotto doesn’t accept the option {option}. Start Sotto without it.', { option: refused }),
    )
}

/**
 * Finds the first switch that is not allowed, as Chromium reads switches: after one or two dashes, on
 * Windows also after a slash, after white space, and in any case. The terminator `--` has no effect here.
 *
 * @param args the command line without the program
 * @returns the argument in its original spelling, trimmed
 * @see https://chromium.googlesource.com/chromium/src/+/main/base/command_line.cc
 */
export function findRefusedSwitch(args: readonly string[], platform: NodeJS.Platform): string | undefined {
  const windows = platform === 'win32'
  return args
    .map((argument) => argument.trim())
    .find((argument) => {
      if (!/^-/.test(argument) && !(windows && argument.startsWith('/'))) return false
      if (platform === 'darwin' && PROCESS_SERIAL_NUMBER.test(argument)) return false
      const [name = '', ...values] = argument.replace(/^(?:--?|\/)/, '').split('=')
      const value = values.join('=')
      return !ALLOWED.get(windows ? name.toLowerCase() : name)?.test(value)
    })
}
