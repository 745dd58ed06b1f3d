/** Started so, Sotto opens no window of its own. */
export const HIDDEN = '--hidden'

/**
 * Writes the desktop entry that starts a program at login, for Linux desktops.
 *
 * @param program absolute path
 * @throws {Error} if the path has a control character, which an entry can't contain
 */
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
