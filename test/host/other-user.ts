import { spawnSync } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { tmpdir } from 'node:os'

/** A user ID that no account has. Root can give files to it and start processes as it. */
export const OTHER_USER = 48_213
export const isRoot = process.geteuid?.() === 0

/** Why the tests that need a second user are skipped, or null if they are not. */
export const noOtherUser = isRoot ? null : 'only root can act as another user'

/** How `spawn` starts a process without root's rights: as another user if this is root, otherwise as this user. */
export const unprivileged = isRoot ? { uid: OTHER_USER, gid: OTHER_USER } : {}

/** Whether such a process can run Node and read this checkout; if not, prints the reason. */
export function canRunUnprivileged(): boolean {
  const { status } = spawnSync(
    process.execPath,
    ['-e', `require('node:fs').readFileSync(${JSON.stringify(import.meta.filename)})`],
    { ...unprivileged, cwd: '/' },
  )
  if (status !== 0)
    process.stderr.write('skipped: an unprivileged user can run neither this Node nor this checkout\n')
  return status === 0
}

/**
 * Creates a folder (0700) of this process's user, on a path that every user may follow. If this is root, only root
 * can enter the tests' own temporary folder.
 */
export function reachableFolder(): string {
  return mkdtempSync(join(isRoot ? dirname(tmpdir()) : tmpdir(), 'sotto-folder-'))
}
