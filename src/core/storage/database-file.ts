import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, renameSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'

/**
 * An empty file that nobody else can read; SQLite gives the files beside it the same mode. Only ever creates:
 * closing another descriptor of a file that SQLite has open would drop SQLite's locks (fcntl(2)).
 */
export function createPrivately(path: string): void {
  try {
    closeSync(openSync(path, 'wx', 0o600))
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  }
}

/** Made (0700) where there is none. One that the user made keeps its mode: it may hold other things too. */
export function makeFolder(folder: string): void {
  const first = existsSync(folder) ? undefined : mkdirSync(folder, { recursive: true, mode: 0o700 })
  if (first === undefined) return
  // Up to the folder that was there before: a database is not lost with the name of a folder above it.
  const above = dirname(first)
  for (let at = dirname(folder); ; at = dirname(at)) {
    syncFolder(at)
    if (at === above || at === dirname(at)) return
  }
}

/** A whole copy under this name, or none: also what is still in the write-ahead log. Replaces an earlier one. */
export function copyDatabase(database: DatabaseSync, path: string): void {
  const partial = `${path}.partial`
  rmSync(partial, { force: true })
  createPrivately(partial)
  database.prepare('VACUUM INTO ?').run(partial)
  sync(partial, 'r+')
  renameSync(partial, path)
  syncFolder(dirname(path))
}

/** What was renamed in it, or removed, outlives the machine's power. */
export function syncFolder(folder: string): void {
  // Windows has no way to sync a folder, and keeps renames in its journal.
  if (process.platform !== 'win32') sync(folder, 'r')
}

function sync(path: string, flags: 'r' | 'r+'): void {
  const descriptor = openSync(path, flags)
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}
