import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { DIGEST_FILE, digestSources } from '../../build/source-digest.ts'

const root = resolve(import.meta.dirname, '../..')
const DIGEST = join(root, 'out/main', DIGEST_FILE)

/** The built command. */
export const BUILT = join(root, 'out/main/sotto.js')

/**
 * The command's file for Node to run. The built file starts in half of the time of its sources, and is used
 * if it was built from exactly these sources. Otherwise it is the source file, so that a test after a change
 * never tests the code before it.
 *
 * `npm test` builds first. test/build/source-digest.test.ts fails if continuous integration doesn't use the
 * build.
 */
export const COMMAND = isBuiltFromSources() ? BUILT : join(root, 'src/cli/sotto.ts')

/** An interrupted build leaves no digest, because the digest is written last. */
function isBuiltFromSources(): boolean {
  if (!existsSync(BUILT) || !existsSync(DIGEST)) return false
  return readFileSync(DIGEST, 'utf8') === digestSources(root)
}
