import { createHash, type Hash } from 'node:crypto'
import { constants } from 'node:fs'
import { access, lstat, open, readdir, readlink, realpath } from 'node:fs/promises'
import { basename, delimiter, dirname, isAbsolute, join, sep } from 'node:path'
import { SottoError } from '../../shared/errors.ts'

/** Programs that download what they then run, so their own digest doesn't cover it. */
const DOWNLOADERS = new Set([
  'npx',
  'npm',
  'pnpm',
  'pnpx',
  'yarn',
  'bunx',
  'uvx',
  'uv',
  'pipx',
  'docker',
  'podman',
])
const SHELLS = new Set(['sh', 'bash', 'zsh', 'dash', 'fish', 'cmd', 'powershell', 'pwsh', 'env'])

const MAX_FILES = 50_000
const MAX_BYTES = 1024 * 1024 * 1024

/** Why a command can't be pinned to files; undefined if it can be. */
function unpinnedReason(command: string): 'downloads' | 'shell' | undefined {
  const name = basename(command)
    .toLowerCase()
    .replace(/\.(?:exe|cmd|bat|ps1)$/, '')
  return DOWNLOADERS.has(name) ? 'downloads' : SHELLS.has(name) ? 'shell' : undefined
}

/**
 * Resolves a command to its real file. Throws tools/not-pinned for a shell or a program that downloads what it
 * runs, and tools/command-unknown.
 */
export async function resolveCommand(command: string, path: string | undefined): Promise<string> {
  if (unpinnedReason(command)) throw new SottoError('tools/not-pinned')
  const places = isAbsolute(command)
    ? [command]
    : command.includes('/') || command.includes(sep)
      ? []
      : (path ?? '')
          .split(delimiter)
          .filter(isAbsolute)
          .map((folder) => join(folder, command))
  for (const place of places) {
    try {
      await access(place, constants.X_OK)
    } catch {
      continue
    }
    const file = await realpath(place)
    // A link may give a downloader another name.
    if (unpinnedReason(file)) throw new SottoError('tools/not-pinned')
    return file
  }
  throw new SottoError('tools/command-unknown')
}

/**
 * SHA-256 (hex) of a server's program: the command's file, its arguments, and for each argument that is a
 * file, the files of its package with all that is installed next to it. An argument that is a folder is data
 * of the server, so only its path counts.
 *
 * @param file as resolveCommand returns it
 */
export async function digestProgram(file: string, args: readonly string[]): Promise<string> {
  const hash = createHash('sha256')
  const limit = { files: 0, bytes: 0 }
  hash.update(JSON.stringify([file, ...args]))
  await addFile(hash, file, limit)
  const added = new Set<string>()
  for (const arg of args) {
    if (!isAbsolute(arg)) continue
    const about = await lstat(arg).catch(() => undefined)
    if (!about || about.isDirectory()) continue
    const root = await packageRoot(await realpath(arg))
    if (added.has(root)) continue
    added.add(root)
    await addTree(hash, root, limit)
  }
  return hash.digest('hex')
}

/** The outermost `node_modules`, else the nearest folder with a manifest, else the file. */
async function packageRoot(file: string): Promise<string> {
  const parts = file.split(sep)
  const at = parts.indexOf('node_modules')
  if (at > 0) return parts.slice(0, at + 1).join(sep)
  for (let folder = dirname(file); folder !== dirname(folder); folder = dirname(folder)) {
    const names: string[] = await readdir(folder).catch(() => [])
    if (names.includes('package.json') || names.includes('pyproject.toml')) return folder
  }
  return file
}

interface Limit {
  files: number
  bytes: number
}

async function addTree(hash: Hash, path: string, limit: Limit): Promise<void> {
  const about = await lstat(path)
  if (about.isSymbolicLink()) {
    hash.update(JSON.stringify(['link', path, await readlink(path)]))
    return
  }
  if (!about.isDirectory()) return addFile(hash, path, limit)
  const names = (await readdir(path)).toSorted()
  hash.update(JSON.stringify(['folder', path, names]))
  for (const name of names) await addTree(hash, join(path, name), limit)
}

async function addFile(hash: Hash, path: string, limit: Limit): Promise<void> {
  await using handle = await open(path, 'r')
  const { size } = await handle.stat()
  limit.files += 1
  limit.bytes += size
  if (limit.files > MAX_FILES || limit.bytes > MAX_BYTES) throw new SottoError('tools/program-too-large')
  const content = createHash('sha256')
  for await (const chunk of handle.createReadStream({ autoClose: false, highWaterMark: 4 * 1024 * 1024 })) {
    if (Buffer.isBuffer(chunk)) content.update(chunk)
  }
  hash.update(JSON.stringify(['file', path, content.digest('hex')]))
}
