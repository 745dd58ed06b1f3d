import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build, createServer, preview, type InlineConfig } from 'vite'
import { windowPlugins } from '../../build/window-plugins.ts'
import { createTemporaryFolder } from '../temporary-folder.ts'

const root = resolve(import.meta.dirname, '../..')

/** The gallery is among the tests, not in src/renderer, so that no build of the product contains it. */
const gallery: InlineConfig = {
  configFile: false,
  logLevel: 'warn',
  root: join(root, 'test/renderer/gallery'),
  base: '/gallery/',
  plugins: [windowPlugins(root)],
}

/** Builds the gallery and serves it on a free port of this computer, until it's disposed. */
export async function serveGallery(): Promise<AsyncDisposable & { readonly address: string }> {
  const { environment, remove } = createTemporaryFolder()
  const outDir = join(environment['TMPDIR'] ?? '', 'gallery')
  await build({ ...gallery, build: { outDir, assetsInlineLimit: 0 } })
  const server = await preview({
    ...gallery,
    build: { outDir },
    preview: { host: '127.0.0.1', port: 0, strictPort: true },
  })
  return {
    address: server.resolvedUrls?.local[0] ?? '',
    async [Symbol.asyncDispose]() {
      await server.close()
      remove()
    },
  }
}

/** `npm run gallery`: the gallery from its sources, which follows changes. */
if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const server = await createServer({ ...gallery, server: { host: '127.0.0.1', fs: { allow: [root] } } })
  await server.listen()
  server.printUrls()
}
