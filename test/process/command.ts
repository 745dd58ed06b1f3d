import { readdirSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'

const root = resolve(import.meta.dirname, '../..')
const BUILT = 'out/main/sotto.js'
const SOURCE = 'src/cli/sotto.ts'
/** The sources of the built command, besides the packages that the lockfile names. */
const MADE_OF = ['package-lock.json', 'electron.vite.config.ts', 'build', 'src']
/** Sources of the window only. */
const APART = join('src', 'renderer')

/**
 * The command's file for Node to run. The built file starts in half of the time of its sources, and is used
 * if it is certainly built from these sources. Otherwise it is the source file. `npm test` builds first.
 */
export const COMMAND = join(root, isFresh() ? BUILT : SOURCE)

function isFresh(): boolean {
  // The build sets this time to its own start.
  const built = statSync(join(root, BUILT), { throwIfNoEntry: false })
  return built !== undefined && MADE_OF.every((path) => isOlder(path, built.mtimeMs))
}

/** A folder's own time shows that files were removed. */
function isOlder(path: string, than: number): boolean {
  if ((changedAt(path) ?? Infinity) >= than) return false
  return (
    !statSync(join(root, path)).isDirectory() ||
    readdirSync(join(root, path)).every(
      (name) => join(path, name) === APART || isOlder(join(path, name), than),
    )
  )
}

/** Unix ms: the later of a change of the content and a change of the path. */
function changedAt(path: string): number | undefined {
  const found = statSync(join(root, path), { throwIfNoEntry: false })
  return found && Math.max(found.mtimeMs, found.ctimeMs)
}
