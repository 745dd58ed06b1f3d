import {
  chmodSync,
  cpSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { InstalledPath } from './package-request.ts'

/**
 * Copies the paths of a package below `folder`, with the modes of installed files: executable or not, and writable only
 * by root. Compresses manual pages.
 */
export function stageFiles(paths: readonly InstalledPath[], folder: string): void {
  for (const { from, to } of paths) {
    const target = join(folder, to)
    mkdirSync(dirname(target), { recursive: true })
    cpSync(from, target, { recursive: true, verbatimSymlinks: true })
    if (to.startsWith('/usr/share/man/')) compressFile(target)
  }
  for (const path of pathsBelow(folder)) {
    const stats = lstatSync(path)
    if (stats.isSymbolicLink()) continue
    chmodSync(path, stats.isDirectory() || (stats.mode & 0o100) !== 0 ? 0o755 : 0o644)
  }
  chmodSync(folder, 0o755)
}

/** Writes a text file below `folder`, compressed if its name ends in .gz. Nothing of it depends on the time. */
export function stageText(folder: string, path: string, text: string, mode = 0o644): void {
  const target = join(folder, path)
  mkdirSync(dirname(target), { recursive: true, mode: 0o755 })
  writeFileSync(target, path.endsWith('.gz') ? gzipSync(text, { level: 9 }) : text)
  chmodSync(target, mode)
}

function compressFile(path: string): void {
  writeFileSync(`${path}.gz`, gzipSync(readFileSync(path), { level: 9 }))
  rmSync(path)
}

/** The absolute paths of all files and folders below a folder, sorted. */
export function pathsBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .toSorted()
}
