import { lstatSync, mkdirSync } from 'node:fs'
import { enableCompileCache } from 'node:module'
import { join } from 'node:path'

/**
 * Caches V8's compiled code of the build, which saves a quarter of the next start's time. Call it before the
 * code is loaded.
 */
export function keepCompiledCode(): void {
  // Tests run the sources, which change too often to be worth caching.
  if (!import.meta.url.endsWith('.js')) return
  const folder = compiledCodeFolder(join(import.meta.dirname, '..'))
  if (folder !== undefined) enableCompileCache(folder)
}

/**
 * Returns the folder where this build may cache compiled code. V8 runs cached code without checking the
 * source. So only the owner of the build may have access to the folder, whatever the umask is or was.
 *
 * Returns undefined for any other user (root in a user's checkout, a service in root's package). Also returns
 * undefined if another user created the folder first, and if it is a link or isn't writable. On Windows it is
 * always undefined, because mode bits there don't show who may write.
 */
export function compiledCodeFolder(build: string): string | undefined {
  const user = process.getuid?.()
  if (user === undefined) return undefined
  const folder = join(build, 'compile-cache')
  try {
    if (lstatSync(build).uid !== user) return undefined
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    const { uid, mode } = lstatSync(folder)
    return uid === user && (mode & 0o170077) === 0o040000 ? folder : undefined
  } catch {
    return undefined
  }
}
