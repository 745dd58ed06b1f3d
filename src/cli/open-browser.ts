import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

/** As long as the code that it carries. */
const LIFETIME_MS = 5 * 60_000

/**
 * Opens the browser through a file that only this user can read: an argument would show the code to every process on the
 * machine. Resolves to false where there is no browser to start.
 */
export async function openBrowser(address: string, folder: string): Promise<boolean> {
  const file = join(folder, `open-${randomUUID()}.html`)
  await writeFile(file, `<!doctype html><meta charset="utf-8"><title>Sotto</title><script>location.replace(${JSON.stringify(address)})</script>`, { mode: 0o600 })
  setTimeout(() => void rm(file, { force: true }), LIFETIME_MS).unref()
  process.once('exit', () => void rm(file, { force: true }))
  const command = process.platform === 'darwin' ? 'open' : process.platform === 'win32' ? 'explorer.exe' : 'xdg-open'
  const child = spawn(command, [pathToFileURL(file).href], { stdio: 'ignore', detached: true })
  return new Promise((settled) => {
    child.once('error', () => settled(false))
    child.once('spawn', () => {
      child.unref()
      settled(true)
    })
  })
}
