import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

/** The lifetime of the code in an address. */
const LIFETIME_MS = 5 * 60_000
/** An opener that finds no browser ends earlier. */
const FAILS_WITHIN_MS = 3000
const NAME = /^open-[0-9a-f-]{36}\.html$/

/**
 * A file (0600) that leads a browser to the address: as an argument its code would be shown to every process
 * on the machine.
 */
export async function writeRedirect(address: string, folder: string): Promise<string> {
  const file = join(folder, `open-${randomUUID()}.html`)
  await writeFile(
    file,
    `<!doctype html><meta charset="utf-8"><title>Sotto</title><script>location.replace(${JSON.stringify(address)})</script>`,
    { mode: 0o600, flag: 'wx' },
  )
  setTimeout(() => void rm(file, { force: true }), LIFETIME_MS).unref()
  return file
}

/** Removes what is left of them, also of a process that was killed. Only the owner of the folder may. */
export async function removeRedirects(folder: string): Promise<void> {
  const names = (await readdir(folder)).filter((name) => NAME.test(name))
  await Promise.all(names.map((name) => rm(join(folder, name), { force: true })))
}

/**
 * Opens a file with the system's opener. Resolves to false if the opener is missing or found no browser. An opener that
 * still runs after a few seconds is the browser's process, and this process doesn't wait for it.
 */
export function openInBrowser(file: string): Promise<boolean> {
  const isWindows = process.platform === 'win32'
  const command = process.platform === 'darwin' ? 'open' : isWindows ? 'explorer.exe' : 'xdg-open'
  const child = spawn(command, [pathToFileURL(file).href], { stdio: 'ignore', detached: true })
  return new Promise((resolve) => {
    const settle = (opened: boolean): void => {
      child.unref()
      resolve(opened)
    }
    child.once('error', () => settle(false))
    // The exit code of Windows' opener is 1 also if it opened the browser.
    if (isWindows) child.once('spawn', () => settle(true))
    else child.once('exit', (code) => settle(code === 0))
    setTimeout(() => settle(true), FAILS_WITHIN_MS).unref()
  })
}
