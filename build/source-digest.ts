import { createHash } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The file of out/main that has the digest of its sources. */
export const DIGEST_FILE = 'sources.sha256'

/** The sources of out/main. The lockfile stands for the packages in it. */
const SOURCES = ['package-lock.json', 'electron.vite.config.ts', 'build/*.ts', 'src/**/*.*']
/** Sources of the window only. */
const WINDOW = ['src/renderer/**']

/**
 * The SHA-256 of the paths and contents of out/main's sources, in hex. Times of files don't count, because
 * other tools change them without changing the content.
 *
 * @param root the folder of the checkout
 */
export function digestSources(root: string): string {
  const hash = createHash('sha256')
  for (const path of globSync(SOURCES, { cwd: root, exclude: WINDOW }).sort()) {
    const content = readFileSync(join(root, path))
    hash.update(`${path}\0${String(content.length)}\0`).update(content)
  }
  return hash.digest('hex')
}
