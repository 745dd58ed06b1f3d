import { join, resolve, sep } from 'node:path'
import { pathToFileURL } from 'node:url'
import { resolveConfig } from 'electron-vite'
import { build } from 'vite'

const root = resolve(import.meta.dirname, '../..')

/**
 * The folder of the built window that the page tests serve: SOTTO_WINDOW_DIR, or out/renderer if that isn't
 * set or is empty.
 */
export const windowFolder = resolve(root, process.env['SOTTO_WINDOW_DIR'] || join('out', 'renderer'))

/** Builds only the window's pages, by the part of the product's build that makes it. */
export async function buildWindow(): Promise<void> {
  // The build empties its folder first.
  if (`${root}${sep}`.startsWith(`${windowFolder}${sep}`))
    throw new Error(`SOTTO_WINDOW_DIR is ${windowFolder}, which holds the sources`)
  // electron-vite adds its own settings to those of the file.
  const { config } = await resolveConfig({ root, logLevel: 'warn' }, 'build', 'production')
  await build({ ...config?.renderer, build: { ...config?.renderer?.build, outDir: windowFolder } })
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href)
  await buildWindow()
