import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  createReadStream,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readlinkSync,
  rmSync,
  statSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'
import { extractAll } from '@electron/asar'

const run = promisify(execFile)

export interface PackageDifference {
  /** Relative to the package's root; the path within an archive follows its name. */
  readonly path: string
  readonly is: 'only in the first' | 'only in the second' | 'different'
}

/**
 * The differences between two packages, byte for byte, ignoring file times. Each is a folder, or a .tar.gz
 * of one. Archives are compared by content, and if that is equal, as files too.
 */
export async function comparePackages(first: string, second: string): Promise<PackageDifference[]> {
  const scratch = mkdtempSync(join(tmpdir(), 'sotto-compare-'))
  try {
    const [one, other] = await Promise.all([
      contentOf(first, join(scratch, 'first')),
      contentOf(second, join(scratch, 'second')),
    ])
    return [...new Set([...one.keys(), ...other.keys()])].sort().flatMap((path): PackageDifference[] => {
      if (!other.has(path)) return [{ path, is: 'only in the first' }]
      if (!one.has(path)) return [{ path, is: 'only in the second' }]
      return one.get(path) === other.get(path) ? [] : [{ path, is: 'different' }]
    })
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}

async function contentOf(place: string, scratch: string): Promise<ReadonlyMap<string, string>> {
  if (statSync(place).isDirectory()) return digests(place, scratch)
  await run('mkdir', ['-p', scratch])
  // A tarball has one folder, whose name has the version and processor.
  await run('tar', ['-xzf', place, '-C', scratch, '--strip-components=1'])
  return digests(scratch, `${scratch}-archives`)
}

async function digests(folder: string, scratch: string): Promise<Map<string, string>> {
  const found = new Map<string, string>()
  async function walk(below: string, shown: string): Promise<void> {
    for (const name of readdirSync(below)) {
      const path = join(below, name)
      const shownPath = shown === '' ? name : `${shown}/${name}`
      const entry = lstatSync(path)
      if (entry.isDirectory()) await walk(path, shownPath)
      else if (entry.isSymbolicLink()) found.set(shownPath, `link to ${readlinkSync(path)}`)
      else {
        found.set(shownPath, `${(entry.mode & 0o111) === 0 ? 'file' : 'program'} ${await digestOf(path)}`)
        if (name.endsWith('.asar')) {
          const opened = join(scratch, shownPath)
          extractAll(path, opened)
          await walk(opened, `${shownPath}/`)
        }
      }
    }
  }
  await walk(folder, '')
  return found
}

async function digestOf(path: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(path), hash)
  return hash.digest('hex')
}
