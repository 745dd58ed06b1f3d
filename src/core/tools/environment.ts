/** Names that change which code a program loads, so that a server's settings may not contain them. */
const LOADS_CODE =
  /^(?:LD_|DYLD_|NODE_|PYTHON|RUBY|PERL|BASH_ENV$|ENV$|IFS$|PATH$|HOME$|GIT_|JAVA_TOOL_OPTIONS$)/

const INHERITED = ['PATH', 'LANG', 'TZ'] as const
/** Without these, no program starts on Windows. */
const INHERITED_ON_WINDOWS = ['SystemRoot', 'SYSTEMROOT', 'PATHEXT', 'ComSpec'] as const

/** Whether a server's settings may set this variable. */
export function isAllowedVariable(name: string): boolean {
  return /^[A-Za-z_][A-Za-z0-9_]{0,99}$/.test(name) && !LOADS_CODE.test(name.toUpperCase())
}

/**
 * The environment of a server: PATH, LANG and TZ of this process, its own folder as HOME, and what its settings
 * name. Nothing else is inherited, because the environment of a desktop often contains keys.
 *
 * @param folder the server's own working folder
 * @param added variables of the server's settings, see isAllowedVariable
 */
export function serverEnvironment(
  inherited: Readonly<Record<string, string | undefined>>,
  folder: string,
  added: Readonly<Record<string, string>>,
  platform: string = process.platform,
): Record<string, string> {
  const environment: Record<string, string> = {}
  for (const name of platform === 'win32' ? [...INHERITED, ...INHERITED_ON_WINDOWS] : INHERITED) {
    const value = inherited[name]
    if (value !== undefined) environment[name] = value
  }
  for (const [name, value] of Object.entries(added)) if (isAllowedVariable(name)) environment[name] = value
  return {
    ...environment,
    HOME: folder,
    ...(platform === 'win32' && { USERPROFILE: folder, TEMP: folder, TMP: folder }),
    TMPDIR: folder,
  }
}
