import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { COMMAND } from './command.ts'

/** From util-linux, which every Debian has. Programs with this name on other systems take other arguments. */
const SCRIPT = '/usr/bin/script'

export const hasTerminal = process.platform === 'linux' && existsSync(SCRIPT)

export const CTRL_C = '\u0003'
export const CTRL_D = '\u0004'

export interface Terminal extends AsyncDisposable {
  /** Waits until the terminal shows this text after the text of the previous wait. */
  shows(text: string, timeoutMs?: number): Promise<void>
  type(keys: string): void
  /** The complete output so far. */
  written(): string
  /** The exit code as in a shell: 128 plus the signal's number if a signal ended the command. */
  readonly ended: Promise<number | null>
}

/**
 * Sotto's command as a person runs it: in its own terminal, which is in raw mode when the command asks for
 * that.
 * @param stderrTo a file that receives its standard error
 */
export function atTerminal(
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
  stderrTo?: string,
): Terminal {
  const command = `exec ${shellWords([process.execPath, COMMAND, ...args])}${stderrTo === undefined ? '' : ` 2>${shellWords([stderrTo])}`}`
  return startTerminal(command, { env: { ...process.env, TERM: 'dumb', ...environment } })
}

export function shellWords(args: readonly string[]): string {
  return args.map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(' ')
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
