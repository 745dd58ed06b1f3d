import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * The folder with package.json and resources/: the checkout, or the packaged app. Both this file and its
 * built version are two folders below.
 */
export const applicationRoot = join(import.meta.dirname, '..', '..')

/** The version in package.json; `unknown` if there is none. */
export async function readVersion(): Promise<string> {
  const manifest: unknown = JSON.parse(await readFile(join(applicationRoot, 'package.json'), 'utf8'))
  return typeof manifest === 'object' &&
    manifest !== null &&
    'version' in manifest &&
    typeof manifest.version === 'string'
    ? manifest.version
    : 'unknown'
}
