import { writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { defineConfig } from 'electron-vite'
import type { Plugin } from 'vite'
import { DIGEST_FILE, digestSources } from './build/source-digest.ts'
import { thirdPartyLicences } from './build/third-party-licences.ts'
import { firstViewFile, mainPlugins, windowPages, windowPlugins } from './build/window-plugins.ts'

const here = import.meta.dirname

/** Read before the build, because the build may not contain later changes. */
const digest = digestSources(here)

/** Writes the digest of the sources, so that tests know whether the command is built from them. */
const sourceDigest: Plugin = {
  name: 'sotto:source-digest',
  writeBundle({ dir = '' }) {
    writeFileSync(join(dir, DIGEST_FILE), digest)
  },
}

/** The text recognizer asks for these modules only in Node. In the window's worker they're empty. */
const noNodeModules: Plugin = {
  name: 'sotto:no-node-modules',
  enforce: 'pre',
  resolveId: (name, importer) =>
    /^(?:fs|crypto)$/.test(name) && importer?.includes('tesseract.js-core') === true ? `\0no-${name}` : null,
  load: (name) => (name.startsWith('\0no-') ? 'export default {}' : null),
}
/** On a slow computer, the time of each plugin would fill the screen before Sotto's addresses. */
const CHECKS = { bundlerTimings: false }

/**
 * Builds everything that ships. `main` has three entries with the same core: the desktop shell, the command
 * line, and the chooser that `npm start` runs.
 */
export default defineConfig({
  main: {
    plugins: [mainPlugins(here), thirdPartyLicences(here), sourceDigest],
    build: {
      outDir: 'out/main',
      // Electron's Node is newer, but the headless package also runs on this version.
      target: 'node22',
      // A few large files load in two thirds of the time of the packages' many small ones. Native code can't
      // be bundled, and lightningdevkit is only for development.
      externalizeDeps: false,
      chunkSizeWarningLimit: 5000,
      rolldownOptions: {
        checks: CHECKS,
        external: ['@napi-rs/keyring', 'lightningdevkit'],
        input: {
          index: resolve(here, 'src/main/index.ts'),
          sotto: resolve(here, 'src/cli/sotto.ts'),
          start: resolve(here, 'src/cli/start.ts'),
          // Threads. core/gateway/channel and core/gateway/tokens look for them in the folder of their own
          // built file.
          'setup-worker': resolve(here, 'src/core/gateway/channel/hpke-context-worker.ts'),
          'token-worker': resolve(here, 'src/core/gateway/tokens/token-worker.ts'),
        },
        output: {
          chunkFileNames: '[name]-[hash].js',
          // V8 stores a file's source with two bytes per character if any of them is outside Latin-1, which
          // takes 5 MB of memory at rest.
          charset: 'ascii',
          comments: { legal: true, annotation: false, jsdoc: false },
        },
      },
    },
  },
  preload: {
    plugins: [thirdPartyLicences(here)],
    build: {
      outDir: 'out/preload',
      rolldownOptions: {
        checks: CHECKS,
        input: { index: resolve(here, 'src/preload/index.ts') },
        // A sandboxed window's preload must be a single CommonJS file.
        output: { format: 'cjs', entryFileNames: 'index.cjs' },
      },
    },
  },
  renderer: {
    root: resolve(here, 'src/renderer'),
    plugins: [windowPlugins(here), thirdPartyLicences(here)],
    worker: { plugins: () => [noNodeModules] },
    build: {
      outDir: resolve(here, 'out/renderer'),
      minify: true,
      chunkSizeWarningLimit: 1_000,
      // The page's policy allows separate files, but no font from a data: address.
      assetsInlineLimit: 0,
      emptyOutDir: true,
      rolldownOptions: {
        checks: CHECKS,
        input: windowPages(here),
        output: {
          codeSplitting: {
            groups: [{ debugName: 'first-view', name: firstViewFile(here), tags: ['$initial'] }],
          },
        },
      },
    },
  },
})
