import { join, resolve, sep } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'vite'
import { windowPages, windowPlugins } from '../../build/window-plugins.ts'

const root = resolve(import.meta.dirname, '../..')

/**
 * The folder of the built window that the page tests serve: SOTTO_WINDOW_DIR, or out/renderer if that isn't
 * set or is empty.
 */
export const windowFolder = resolve(root, process.env['SOTTO_WINDOW_DIR'] || join('out', 'renderer'))

/** Builds only the window's pages, like that part of `npm run build`. */
export async function buildWindow(): Promise<void> {
  // The build empties its folder first.
  if (`${root}${sep}`.startsWith(`${windowFolder}${sep}`))
    throw new Error(`SOTTO_WINDOW_DIR is ${windowFolder}, which holds the sources`)
  await build({
    configFile: false,
    logLevel: 'warn',
    root: join(root, 'src/renderer'),
    plugins: [windowPlugins(root)],
    build: {
      outDir: windowFolder,
      emptyOutDir: true,
      minify: true,
      assetsInlineLimit: 0,
      rolldownOptions: { input: windowPages(root) },
    },
  })
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href)
  await buildWindow()
