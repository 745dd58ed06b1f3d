import { readdir, readFile } from 'node:fs/promises'
import { extname, join, relative, sep } from 'node:path'
import { applicationRoot } from './application-root.ts'

const MEDIA_TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.json': 'application/json',
  '.map': 'application/json',
}

export interface RendererFile {
  readonly content: Uint8Array<ArrayBuffer>
  readonly mediaType: string
  /** Its name carries its hash, so that it never changes. */
  readonly immutable: boolean
}

/**
 * The files of the built window, listed once. A path that isn't in the list doesn't exist, in any spelling,
 * and returns null. Rejects if there is no build.
 */
export async function rendererFiles(): Promise<(path: string) => Promise<RendererFile | null>> {
  const root = join(applicationRoot, 'out', 'renderer')
  const entries = await readdir(root, { recursive: true, withFileTypes: true })
  const names = new Map(
    entries
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .map((file) => [`/${relative(root, file).split(sep).join('/')}`, file]),
  )
  return async (path) => {
    const file = names.get(path === '/' ? '/index.html' : path)
    if (file === undefined) return null
    return {
      content: new Uint8Array(await readFile(file)),
      mediaType: MEDIA_TYPES[extname(file)] ?? 'application/octet-stream',
      immutable: path.startsWith('/assets/'),
    }
  }
}
