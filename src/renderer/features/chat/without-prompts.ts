const SHELLS = new Set([
  'sh',
  'bash',
  'zsh',
  'fish',
  'shell',
  'console',
  'terminal',
  'shell-session',
  'shellsession',
])
const PYTHONS = new Set(['python', 'py', 'pycon', 'python-repl'])

/**
 * Code to paste where it runs. In a session of a terminal or of Python, only the commands are copied, without their
 * prompts. A session is known by its first line: other code stays as it is.
 */
export function withoutPrompts(language: string, code: string): string {
  const name = language.toLowerCase()
  if (SHELLS.has(name) && /^\s*[$%] \S/.test(code)) return commands(code, /^\s*[$%] /, /^\s*> /)
  if (PYTHONS.has(name) && code.trimStart().startsWith('>>> '))
    return commands(code, /^\s*>>> ?/, /^\s*\.\.\. ?/)
  return code
}

function commands(code: string, prompt: RegExp, continuation: RegExp): string {
  let inCommand = false
  /** The last line ended with a backslash. */
  let continued = false
  const lines = code.split('\n').flatMap((line) => {
    const goesOn = inCommand && continuation.test(line)
    const isCommand = prompt.test(line) || goesOn || (inCommand && continued)
    inCommand = isCommand
    continued = isCommand && line.endsWith('\\')
    return isCommand ? [line.replace(goesOn ? continuation : prompt, '')] : []
  })
  return lines.join('\n')
}
