import { once } from 'node:events'
import { accessSync, constants, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { constants as system, tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import spawn from 'cross-spawn'
import type { ToolRun } from '../shared/tools/runnable.ts'

/** Whether a program of this name is in a folder of PATH, with an ending that Windows runs. */
export function isInstalled(command: string): boolean {
  const endings = process.platform === 'win32' ? (process.env['PATHEXT'] ?? '.EXE;.CMD').split(';') : ['']
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '')
  return folders.some((folder) => endings.some((ending) => isProgram(join(folder, command + ending))))
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return statSync(file).isFile()
  } catch {
    return false
  }
}

/**
 * Runs a tool in this terminal until it ends. Its files are in a folder that only this user can enter, which is removed afterwards.
 * @param plan - called with a function from a file's name to its path
 * @param args - of the user, after those of the plan
 * @param leftOut - lines of its standard error that aren't printed. If undefined, its standard error is the one of this process.
 * @returns its exit code; 128 and the signal's number if a signal ended it, as shells report it
 */
export async function runTool(
  command: string,
  plan: (place: (name: string) => string) => ToolRun,
  args: readonly string[],
  leftOut?: RegExp,
): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'sotto-run-'))
  const remove = (): void => rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
  // Also if another part of the process exits, such as for a closed pipe.
  process.once('exit', remove)
  try {
    const { env, files, args: toolArgs } = plan((name) => join(folder, name))
    for (const [name, content] of Object.entries(files))
      writeFileSync(join(folder, name), content, { mode: 0o600, flag: 'wx' })
    // npm installs tools on Windows as .cmd files, which Node doesn't start without a shell. cross-spawn quotes for it.
    const child = spawn(command, [...toolArgs, ...args], {
      stdio: ['inherit', 'inherit', leftOut ? 'pipe' : 'inherit'],
      env: { ...process.env, ...env },
    })
    if (leftOut && child.stderr) printExcept(leftOut, child.stderr)
    const forward = (signal: NodeJS.Signals): void => {
      // A terminal sends Ctrl-C to the tool, too. Tools take a second one as "quit".
      if (signal !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal)
    }
    const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
    for (const signal of signals) process.on(signal, forward)
    try {
      await once(child, 'close')
    } finally {
      for (const signal of signals) process.off(signal, forward)
    }
    return child.exitCode ?? 128 + system.signals[child.signalCode ?? 'SIGKILL']
  } finally {
    process.off('exit', remove)
    remove()
  }
}

function printExcept(leftOut: RegExp, output: Readable): void {
  createInterface({ input: output, crlfDelay: Infinity }).on('line', (line) => {
    if (!leftOut.test(line)) process.stderr.write(`${line}\n`)
  })
}
