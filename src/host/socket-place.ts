import { createHash } from 'node:crypto'
import { mkdir, stat } from 'node:fs/promises'
import { homedir, tmpdir } from 'node:os'
import { dirname, isAbsolute, join, resolve } from 'node:path'
import { SottoError } from '../shared/errors.ts'
import { msg } from '../shared/localized-text.ts'
import { foreignOwner, inspect, modeText, requireSafePath, unwritable } from './safe-path.ts'

/** A socket's path holds 108 bytes on Linux and 104 on macOS, including the terminating zero. */
const MAX_SOCKET_PATH = 100
const SHARED = 0o077

/**
 * Chooses the path of the owner's socket and creates its folder (0700): `sotto.sock` in the data folder, or a name derived from that
 * folder's path if the path is too long for a socket. The fallback is a folder that only this user can enter: `XDG_RUNTIME_DIR`
 * (`/run/user/<id>` if unset) or `~/.local/state/sotto` on Linux, the user's own temporary folder on macOS. It is never in a folder that
 * users share. On Windows it is the name of a pipe.
 *
 * @param dataDir data folder, which is created (0700) if it is missing
 * @throws {SottoError} host/socket-path-too-long – if no private folder has a path that is short enough
 * @throws {SottoError} host/folder-… – if the data folder, which holds the socket, is not private
 */
export async function prepareSocketPath(dataDir: string): Promise<string> {
  const user = process.geteuid?.()
  if (user === undefined) return pipeName(dataDir)
  const inData = pathInDataFolder(dataDir)
  if (inData !== null) {
    await makePrivately(dirname(inData))
    await requirePrivateFolder(dirname(inData), user)
    return inData
  }
  for (const path of fallbackPaths(dataDir, user)) {
    try {
      if (stateFolders().includes(dirname(path))) await makePrivately(dirname(path))
      if (await requirePrivateFolder(dirname(path), user)) return path
    } catch (thrown) {
      if (!(thrown instanceof SottoError)) throw thrown
      // Not private: the next one may be.
    }
  }
  throw new SottoError('host/socket-path-too-long')
}

/**
 * Finds the socket of the process that owns a data folder, and checks that it belongs to this user, in a
 * folder that only this user can enter. Then no other user can have created it or can replace it. Node has
 * no SO_PEERCRED, so the peer itself is not checked. Root may use the socket of the folder's owner, because
 * that owner's service then runs as that user.
 *
 * @throws {SottoError} host/already-running – if there is no socket (for root in another user's folder:
 * host/folder-foreign-owner)
 * @throws {SottoError} host/socket-unsafe – if the socket is not the user's own
 * @throws {SottoError} host/folder-… – if other users can enter or replace its folder
 */
export async function findOwnerSocket(dataDir: string): Promise<string> {
  const user = process.geteuid?.()
  if (user === undefined) return pipeName(dataDir)
  const other = await ownerBesidesRoot(dataDir)
  const owner = other ?? user
  const inData = pathInDataFolder(dataDir)
  let refused: SottoError | undefined
  for (const path of inData !== null ? [inData] : fallbackPaths(dataDir, owner)) {
    try {
      if (await isOwnSocket(path, owner)) return path
    } catch (thrown) {
      if (!(thrown instanceof SottoError)) throw thrown
      // The owner of the data folder passes over such a folder too.
      refused ??= thrown
    }
  }
  throw (
    refused ??
    (other === null ? new SottoError('host/already-running') : foreignOwner(resolve(dataDir), other, user))
  )
}

/**
 * Finds out whether this is root and the data folder belongs to another user. Root must not write there, because that user could lead its
 * writes elsewhere by links. It may only use the socket.
 *
 * @returns the other user's ID, or null
 */
export async function ownerBesidesRoot(dataDir: string): Promise<number | null> {
  if (process.geteuid?.() !== 0) return null
  const folder = await stat(dataDir).catch(() => null)
  return folder === null || folder.uid === 0 ? null : folder.uid
}

/** Returns false if there is no socket. */
async function isOwnSocket(path: string, owner: number): Promise<boolean> {
  if ((await inspect(path)) === null) return false
  await requirePrivateFolder(dirname(path), owner)
  const socket = await inspect(path)
  if (socket !== null && (!socket.isSocket() || socket.uid !== owner))
    throw new SottoError('host/socket-unsafe', { detail: msg('The path is {path}.', { path }) })
  return socket !== null
}

/** Returns false if the folder does not exist. */
async function requirePrivateFolder(path: string, owner: number): Promise<boolean> {
  const folder = await requireSafePath(path, owner)
  if (folder === null) return false
  if (folder.uid !== owner) throw foreignOwner(path, folder.uid, owner)
  if ((folder.mode & SHARED) !== 0) {
    throw new SottoError('host/folder-not-private', {
      detail: msg('The mode of {path} is {mode}. To fix it, run: chmod 700 "{path}"', {
        path,
        mode: modeText(folder),
      }),
    })
  }
  return true
}

async function makePrivately(folder: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 })
  } catch (cause) {
    throw unwritable(folder, cause)
  }
}

function pathInDataFolder(dataDir: string): string | null {
  const path = join(resolve(dataDir), 'sotto.sock')
  return Buffer.byteLength(path) <= MAX_SOCKET_PATH ? path : null
}

/** In the order of preference; the first private one is used. */
function fallbackPaths(dataDir: string, user: number): string[] {
  const folders =
    process.platform === 'darwin'
      ? [tmpdir()]
      : [process.env['XDG_RUNTIME_DIR'] || `/run/user/${String(user)}`, ...stateFolders()]
  return folders
    .filter((folder) => isAbsolute(folder))
    .map((folder) => join(folder, `sotto-${digestOf(dataDir)}.sock`))
    .filter((path) => Buffer.byteLength(path) <= MAX_SOCKET_PATH)
}

/** Empty if the user has no home folder, as in a container. */
function stateFolders(): string[] {
  try {
    return [join(process.env['XDG_STATE_HOME'] || join(homedir(), '.local', 'state'), 'sotto')]
  } catch {
    return []
  }
}

function pipeName(dataDir: string): string {
  return `\\\\.\\pipe\\sotto-${digestOf(dataDir)}`
}

function digestOf(dataDir: string): string {
  return createHash('sha256').update(resolve(dataDir)).digest('hex').slice(0, 16)
}
