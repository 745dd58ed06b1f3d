import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, renameSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'

/**
 * Creates an empty file that only the user can read. SQLite gives its other files the same mode. This
 * function never opens an existing file: closing another descriptor of a file that SQLite has open would
 * release SQLite's locks (fcntl(2)).
 */
export function createPrivately(path: string): void {
  try {
    closeSync(openSync(path, 'wx', 0o600))
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  }
}

/**
 * Creates the folder with mode 0700 if it doesn't exist. A folder that the user created keeps its mode,
 * because it may have other contents.
 */
export function makeFolder(folder: string): void {
  const first = existsSync(folder) ? undefined : mkdirSync(folder, { recursive: true, mode: 0o700 })
  if (first === undefined) return
  // Sync up to the folder that existed before, so that a power failure can't lose the name of a folder
  // above the database.
  const above = dirname(first)
  for (let at = dirname(folder); ; at = dirname(at)) {
    syncFolder(at)
    if (at === above || at === dirname(at)) return
  }
}

/**
 * Writes a complete copy under this name, including the write-ahead log, or nothing. Replaces an earlier
 * copy.
 */
export function copyDatabase(database: DatabaseSync, path: string): void {
  const partial = `${path}.partial`
  rmSync(partial, { force: true })
  createPrivately(partial)
  database.prepare('VACUUM INTO ?').run(partial)
  sync(partial, 'r+')
  renameSync(partial, path)
  syncFolder(dirname(path))
}

/** Makes renames and removals in the folder durable, also after a power failure. */
export function syncFolder(folder: string): void {
  // Windows can't sync a folder, and records renames in its journal.
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
