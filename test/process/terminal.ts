import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { COMMAND } from './command.ts'

/** Of util-linux, which every Debian has; what other systems call so takes other arguments. */
const SCRIPT = '/usr/bin/script'

export const hasTerminal = process.platform === 'linux' && existsSync(SCRIPT)

export const CTRL_C = '\u0003'
export const CTRL_D = '\u0004'

export interface Terminal extends AsyncDisposable {
  /** Waits until this stands there behind what was waited for before. */
  shows(text: string, timeoutMs?: number): Promise<void>
  type(keys: string): void
  /** All that was ever written there. */
  written(): string
  /** As a shell has it: 128 and the signal's number where one ended it. */
  readonly ended: Promise<number | null>
}

/**
 * Sotto's command as a person runs it: in a terminal of its own, which is in raw mode when the command asks for that.
 * @param stderrTo a file that takes its standard error
 */
export function atTerminal(
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
  stderrTo?: string,
): Terminal {
  const command = `exec ${shellWords([process.execPath, COMMAND, ...args])}${stderrTo === undefined ? '' : ` 2>${shellWords([stderrTo])}`}`
  return startTerminal(command, { env: { ...process.env, TERM: 'dumb', ...environment } })
}

export function shellWords(words: readonly string[]): string {
  return words.map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(' ')
}

/** @param command for a shell */
export function startTerminal(
  command: string,
  options: { readonly env: NodeJS.ProcessEnv; readonly cwd?: string },
): Terminal {
  const child = spawn(SCRIPT, ['--quiet', '--flush', '--return', '--command', command, '/dev/null'], options)
  let written = ''
  let seen = 0
  let look = (): void => undefined
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    written += text
    look()
  })
  const ended = new Promise<number | null>((resolve) => child.once('close', (code) => resolve(code)))
  return {
    ended,
    written: () => written,
    type: (keys) => void child.stdin.write(keys),
    [Symbol.asyncDispose]: async () => {
      child.kill()
      await ended
    },
    shows: (text, timeoutMs = 60_000) =>
      new Promise((resolve, reject) => {
        const failed = (why: string): void =>
          reject(new Error(`${why} before “${text}”:\n${written.slice(seen)}`))
        const timer = setTimeout(() => failed('waited long'), timeoutMs)
        look = () => {
          const at = written.indexOf(text, seen)
          if (at < 0) return
          seen = at + text.length
          clearTimeout(timer)
          resolve()
        }
        void ended.then(() => failed('it ended'))
        look()
      }),
  }
}
