import type { Stats } from 'node:fs'
import { access, chmod, constants, mkdir, readdir, stat } from 'node:fs/promises'
import { join, relative, resolve } from 'node:path'
import { SottoError } from '../shared/errors.ts'
import { msg } from '../shared/localized-text.ts'
import { inspect, modeText, reasonOf, requireSafePath, unwritable } from './safe-path.ts'

/** The permission bits of group and others. */
const SHARED = 0o077
const SOCKET = 'sotto.sock'
/** Chromium writes here by rules of its own, links included. It is inside `desktop`, which only its owner can enter. */
const CHROMIUM = join('desktop', 'chromium')
/** The names that Sotto writes in the data folder. Everything below these folders is Sotto's too. */
const OWN_NAME =
  /^(?:owner\.lock(?:-\w+)?|sotto\.sock|(?:vault|service|reach)\.json(?:\..+)?|open-[0-9a-f-]{36}\.html|desktop|logs|profiles|sandbox|sandbox-alone|spool)$/
/** Beyond this the modes of further files are not looked at: all of them are in a folder of mode 700. */
const MAX_ENTRIES = 100_000

/** A data folder that passed its check. Only `check` creates one, so that no unchecked folder can be owned. */
export class DataFolder {
  readonly #path: string
  readonly #restricted: readonly string[]

  private constructor(path: string, restricted: readonly string[]) {
    this.#path = path
    this.#restricted = restricted
  }

  /** Absolute. */
  get path(): string {
    return this.#path
  }

  /**
   * Files to which other users had access before this check, with the former mode in octal: `reach.json
   * (644)`.
   */
  get restricted(): readonly string[] {
    return this.#restricted
  }

  /**
   * Checks a data folder before anything in it is read or written, and creates it (0700) if it is missing.
   * Only root and this user may be able to change its path. The folder, and Sotto's files in it, must
   * belong to this user: a file of root could be neither rewritten nor restricted. Modes that give others
   * access are restricted. Other programs' files aren't changed. Windows has neither owners nor modes in
   * this form: there the folder inherits the access control list of the user's profile.
   *
   * @throws {SottoError} host/folder-foreign-owner, host/folder-writable-by-others – see requireSafePath
   * @throws {SottoError} host/folder-not-private – if others have access and that cannot be changed, or
   * must not be without asking
   * @throws {SottoError} host/folder-special-file – if a link or a special file is in the place of one of
   * Sotto's files
   * @throws {SottoError} store/unwritable – if the folder cannot be created or written
   */
  static async check(dataDir: string): Promise<DataFolder> {
    const path = resolve(dataDir)
    const user = process.geteuid?.()
    if (user === undefined) {
      await create(path)
      return new DataFolder(path, [])
    }
    if ((await requireSafePath(path, user)) === null) await create(path)
    const folder = await requireSafePath(path, user)
    if (!folder?.isDirectory()) throw unwritable(path, null, 'ENOTDIR')
    const check = new FolderCheck(path, user)
    await check.run(folder)
    return new DataFolder(path, check.restricted)
  }
}

class FolderCheck {
  readonly restricted: string[] = []
  readonly #root: string
  readonly #user: number
  #looked = 0

  constructor(root: string, user: number) {
    this.#root = root
    this.#user = user
  }

  /**
   * From the outside inwards: a folder is listed after it was restricted, so that no other user can change
   * it during the check.
   */
  async run(folder: Stats): Promise<void> {
    this.#requireOwner(this.#root, folder)
    if ((folder.mode & SHARED) !== 0 && !(await list(this.#root)).every((name) => OWN_NAME.test(name))) {
      throw new SottoError('host/folder-not-private', {
        detail: msg('It also holds other files. If only you need them, run: chmod 700 "{path}"', {
          path: this.#root,
        }),
      })
    }
    await this.#restrict(this.#root, folder)
    try {
      await access(this.#root, constants.R_OK | constants.W_OK | constants.X_OK)
    } catch (cause) {
      throw unwritable(this.#root, cause)
    }
    await this.#checkAll(
      this.#root,
      (await list(this.#root)).filter((name) => OWN_NAME.test(name)),
    )
  }

  async #checkAll(folder: string, names: readonly string[]): Promise<void> {
    const inner: string[] = []
    for (const name of names) {
      if (++this.#looked > MAX_ENTRIES) return
      const path = join(folder, name)
      const entry = await inspect(path)
      // The owner of the folder may have removed it since it was listed.
      if (entry === null) continue
      this.#requireOwner(path, entry)
      // The process that serves the socket sets its mode.
      if (entry.isSocket() && path === join(this.#root, SOCKET)) continue
      if (!entry.isDirectory() && !entry.isFile())
        throw new SottoError('host/folder-special-file', { detail: msg('The path is {path}.', { path }) })
      await this.#restrict(path, entry)
      if (entry.isDirectory() && path !== join(this.#root, CHROMIUM)) inner.push(path)
    }
    for (const path of inner) await this.#checkAll(path, await list(path))
  }

  #requireOwner(path: string, { uid }: Stats): void {
    if (uid === this.#user) return
    throw new SottoError('host/folder-foreign-owner', {
      detail: msg(
        '{path} belongs to user ID {owner}. To make it yours, run: sudo chown -R {user} "{folder}"',
        { path, owner: String(uid), user: String(this.#user), folder: this.#root },
      ),
    })
  }

  async #restrict(path: string, entry: Stats): Promise<void> {
    if ((entry.mode & SHARED) === 0) return
    try {
      await chmod(path, entry.mode & 0o700)
    } catch (cause) {
      if (reasonOf(cause) === 'ENOENT') return
      throw unwritable(path, cause)
    }
    // Not lstat: the data folder itself may be reached through a link. Some file systems (FAT, network shares) take a mode and do not keep it.
    const after = await stat(path).catch(() => null)
    if (after !== null && (after.mode & SHARED) !== 0)
      throw new SottoError('host/folder-not-private', {
        detail: msg('The file system doesn’t store the mode of {path}.', { path }),
      })
    this.restricted.push(`${relative(this.#root, path) || path} (${modeText(entry)})`)
  }
}

async function create(path: string): Promise<void> {
  try {
    await mkdir(path, { recursive: true, mode: 0o700 })
  } catch (cause) {
    throw unwritable(path, cause)
  }
}

async function list(path: string): Promise<string[]> {
  try {
    return await readdir(path)
  } catch (cause) {
    throw unwritable(path, cause)
  }
}
