import { app } from 'electron'

/**
 * Chromium's switches that hand the page to another program (the DevTools protocol is the window, without its user), take its
 * walls down, or start another program in a process' place. A link or a shortcut can carry them.
 */
const DENIED = [
  'remote-debugging-port', 'remote-debugging-pipe', 'remote-debugging-address', 'remote-allow-origins',
  'disable-web-security', 'allow-running-insecure-content', 'load-extension',
  'gpu-launcher', 'renderer-cmd-prefix', 'utility-cmd-prefix',
]

/** Before `ready`: Chromium reads them then. For the packaged app; from its sources, tests drive the window by that protocol. */
export function denySwitches(): void {
  for (const name of DENIED) app.commandLine.removeSwitch(name)
}
