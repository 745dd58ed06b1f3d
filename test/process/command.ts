import { readdirSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'

const root = resolve(import.meta.dirname, '../..')
const BUILT = 'out/main/sotto.js'
const SOURCE = 'src/cli/sotto.ts'
/** What the built command is made of, besides the packages that the lockfile names. */
const MADE_OF = ['package-lock.json', 'electron.vite.config.ts', 'build', 'src']
/** Of the window alone. */
const APART = join('src', 'renderer')

/**
 * The command's file, for Node to run: as built, which starts in half of the time that its sources take, where the build is
 * certainly of these sources; else the sources themselves. `npm test` builds first.
 */
export const COMMAND = join(root, isFresh() ? BUILT : SOURCE)

function isFresh(): boolean {
  // The time that the build gives it is that of its own beginning.
  const built = statSync(join(root, BUILT), { throwIfNoEntry: false })
  return built !== undefined && MADE_OF.every((path) => isOlder(path, built.mtimeMs))
}

/** A folder's own time tells of files that were taken away. */
function isOlder(path: string, than: number): boolean {
  if ((changedAt(path) ?? Infinity) >= than) return false
  return (
    !statSync(join(root, path)).isDirectory() ||
    readdirSync(join(root, path)).every(
      (name) => join(path, name) === APART || isOlder(join(path, name), than),
    )
  )
}

/** Unix ms; of a file's content or of its place, whichever is later. */
function changedAt(path: string): number | undefined {
  const found = statSync(join(root, path), { throwIfNoEntry: false })
  return found && Math.max(found.mtimeMs, found.ctimeMs)
}
