import type { Stats } from 'node:fs'
import { lstat, readFile, readlink } from 'node:fs/promises'
import { dirname, isAbsolute, join, resolve } from 'node:path'
import { SottoError } from '../shared/errors.ts'
import { msg } from '../shared/localized-text.ts'

const GROUP_WRITE = 0o020
const OTHERS_WRITE = 0o002
/** In a folder with this bit, only the owner of an entry (or of the folder) can rename or remove it. */
const STICKY = 0o1000
/** The number of links that Linux follows in one path (path_resolution(7)). */
const MAX_LINKS = 40

/**
 * Checks that only root and one user can decide where a path leads, as ssh checks the path of its keys.
 * Every folder and every symbolic link on the way must belong to root or to the user. No folder on the way
 * may be writable by others, unless it is sticky. A folder that its group can write is accepted if the user
 * is the only member of that group. Access control lists count as far as the mode shows them.
 *
 * @param path on POSIX; relative to the working directory if it is not absolute
 * @param user user ID
 * @returns the target of the path, or null if it does not exist; its own mode is not checked
 * @throws {SottoError} host/folder-foreign-owner – if a part of the path belongs to neither root nor the
 * user
 * @throws {SottoError} host/folder-writable-by-others – if others can replace a part of the path
 * @throws {SottoError} store/unwritable – if the path cannot be followed
 * @see safe_path() in OpenSSH's misc.c
 */
export async function requireSafePath(path: string, user: number): Promise<Stats | null> {
  const names = resolve(path).split('/')
  let links = 0
  let at = '/'
  let entry = requireRootOr(user, at, await lstat(at))
  for (let name = names.shift(); name !== undefined; name = names.shift()) {
    if (name === '' || name === '.') continue
    if (name === '..') {
      at = dirname(at)
      entry = await lstat(at)
      continue
    }
    if (await isChangeableByOthers(entry, user)) throw writableByOthers(at, entry)
    const next = join(at, name)
    const found = await inspect(next)
    if (found === null) return null
    requireRootOr(user, next, found)
    if (!found.isSymbolicLink()) {
      at = next
      entry = found
      continue
    }
    links += 1
    if (links > MAX_LINKS) throw unwritable(path, null, 'ELOOP')
    const target = await readlink(next)
    names.unshift(...target.split('/'))
    if (isAbsolute(target)) {
      at = '/'
      entry = await lstat(at)
    }
  }
  return entry
}

/**
 * Reads the metadata of a path and does not follow a link in its last part.
 *
 * @returns null if nothing is there
 * @throws {SottoError} store/unwritable – if the path cannot be followed
 */
export async function inspect(path: string): Promise<Stats | null> {
  try {
    return await lstat(path)
  } catch (cause) {
    if (reasonOf(cause) === 'ENOENT') return null
    throw unwritable(path, cause)
  }
}

/**
 * A failure of the file system as a coded failure that names the path.
 *
 * @param reason error code of the file system, such as EACCES
 * @returns store/unwritable
 */
export function unwritable(path: string, cause: unknown, reason = reasonOf(cause)): SottoError {
  return new SottoError('store/unwritable', { detail: msg('{path}: {reason}.', { path, reason }), cause })
}

/** The error code of the file system, such as EACCES. */
export function reasonOf(cause: unknown): string {
  return cause instanceof Error && 'code' in cause && typeof cause.code === 'string' ? cause.code : 'unknown'
}

/** The permission bits in octal, as chmod takes them. */
export function modeText({ mode }: Stats): string {
  return (mode & 0o7777).toString(8).padStart(3, '0')
}

/** host/folder-foreign-owner, with the path, its owner's user ID and the expected one. */
export function foreignOwner(path: string, owner: number, user: number): SottoError {
  return new SottoError('host/folder-foreign-owner', {
    detail: msg('{path} belongs to user ID {owner}. Sotto expects user ID {user}.', {
      path,
      owner: String(owner),
      user: String(user),
    }),
  })
}

function requireRootOr(user: number, path: string, entry: Stats): Stats {
  if (entry.uid === 0 || entry.uid === user) return entry
  throw foreignOwner(path, entry.uid, user)
}

function writableByOthers(path: string, entry: Stats): SottoError {
  return new SottoError('host/folder-writable-by-others', {
    detail: msg('The mode of {path} is {mode}. To fix it, run: chmod go-w "{path}"', {
      path,
      mode: modeText(entry),
    }),
  })
}

async function isChangeableByOthers({ mode, gid }: Stats, user: number): Promise<boolean> {
  if ((mode & STICKY) !== 0) return false
  if ((mode & OTHERS_WRITE) !== 0) return true
  return (mode & GROUP_WRITE) !== 0 && !(await isPrivateGroup(gid, user))
}

/**
 * Whether a group is the user's own, as on systems that give each user a group and set umask 002. The group must be this process's
 * primary group, be listed in /etc/group, and have no other member there or in /etc/passwd. A group of a directory service (LDAP)
 * counts as shared, because its members are unknown here.
 */
async function isPrivateGroup(group: number, user: number): Promise<boolean> {
  if (group !== process.getegid?.() || user !== process.geteuid?.()) return false
  const [users, groups] = await Promise.all([readTable('/etc/passwd'), readTable('/etc/group')])
  const listed = groups.filter(([, , id]) => id === String(group))
  const isOwn = ([, , id]: readonly string[]): boolean => id === String(user)
  const ownNames = new Set(users.filter(isOwn).map(([name]) => name))
  return (
    listed.length > 0 &&
    users.every((fields) => fields[3] !== String(group) || isOwn(fields)) &&
    listed.every(([, , , members = '']) =>
      members.split(',').every((name) => name === '' || ownNames.has(name)),
    )
  )
}

/** Lines of fields separated by colons (passwd(5), group(5)); empty if the file cannot be read. */
async function readTable(path: string): Promise<readonly (readonly string[])[]> {
  const text = await readFile(path, 'utf8').catch(() => '')
  return text.split('\n').map((line) => line.split(':'))
}
