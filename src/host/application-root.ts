import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * The folder with package.json and resources/: the checkout, or the packaged app. Both this file and its
 * built version are two folders below.
 */
export const applicationRoot = join(import.meta.dirname, '..', '..')

/** The path of a file in `resources`, which ships with Sotto. */
export function resourcePath(...names: readonly string[]): string {
  return join(applicationRoot, 'resources', ...names)
}

/**
 * The version in package.json; `unknown` if there is none. A package that somebody built without a version still
 * starts.
 */
export async function readVersion(): Promise<string> {
  const manifest: unknown = JSON.parse(await readFile(join(applicationRoot, 'package.json'), 'utf8'))
  return typeof manifest === 'object' &&
    manifest !== null &&
    'version' in manifest &&
    typeof manifest.version === 'string'
    ? manifest.version
    : 'unknown'
}
