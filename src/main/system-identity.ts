import type { App } from 'electron'
import { HIDDEN } from './autostart-entry.ts'

/** The ID of Sotto on macOS and Windows, which the packages also have. */
export const APP_ID = 'app.sotto.desktop'
const SCHEME = 'sotto'

/** The system that this process runs on, and the variables that it started with. */
export interface SystemFacts {
  readonly platform: NodeJS.Platform
  readonly environment: NodeJS.ProcessEnv
}

/** Whether this is the portable program for Windows, which leaves nothing on the computer: it registers no links and no start at login. */
export function isPortable({ environment }: Pick<SystemFacts, 'environment'>): boolean {
  return environment['PORTABLE_EXECUTABLE_FILE'] !== undefined
}

/** Names the process. Without the ID, Windows shows its notifications and its taskbar button as another program's. */
export function identifyProcess(
  app: Pick<App, 'setName' | 'setAppUserModelId'>,
  { platform }: Pick<SystemFacts, 'platform'>,
): void {
  app.setName('Sotto')
  if (platform === 'win32') app.setAppUserModelId(APP_ID)
}

/**
 * Registers Sotto for `sotto://` links. An unpackaged Sotto isn't registered, because the link would lead to
 * Electron itself.
 */
export function registerLinks(
  app: Pick<App, 'isPackaged' | 'setAsDefaultProtocolClient'>,
  facts: Pick<SystemFacts, 'environment'>,
): void {
  if (app.isPackaged && !isPortable(facts)) app.setAsDefaultProtocolClient(SCHEME)
}

/**
 * Whether Sotto was started at login, and so opens no window. macOS passes no arguments to a program that it
 * starts at login.
 */
export function startsHidden(
  app: Pick<App, 'getLoginItemSettings'>,
  argv: readonly string[],
  { platform }: Pick<SystemFacts, 'platform'>,
): boolean {
  return argv.includes(HIDDEN) || (platform === 'darwin' && app.getLoginItemSettings().wasOpenedAtLogin)
}
