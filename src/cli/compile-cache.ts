import { lstatSync, mkdirSync } from 'node:fs'
import { enableCompileCache } from 'node:module'
import { join } from 'node:path'

/**
 * Keeps what V8 makes of the built code, so that the next start need not: a quarter of its time.
 * To be called before the code is loaded.
 */
export function keepCompiledCode(): void {
  // The sources are run by tests, and change too often to be kept.
  if (!import.meta.url.endsWith('.js')) return
  const folder = compiledCodeFolder(join(import.meta.dirname, '..'))
  if (folder !== undefined) enableCompileCache(folder)
}

/**
 * Where compiled code of this build may be kept: V8 runs what it finds there without a look at the source. So it is a folder that the
 * build's own user alone can enter, whatever the umask is or was, and undefined for everybody else (root in a user's checkout,
 * a service in a package of root's), where another made the folder first, where it is a link, and where nothing can be written.
 * Windows does not tell in mode bits who may write: nothing is kept there.
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
