import { chmodSync, utimesSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { defineConfig } from 'electron-vite'
import type { Plugin } from 'vite'
import { thirdPartyLicences } from './build/third-party-licences.ts'
import { mainPlugins, windowPlugins } from './build/window-plugins.ts'

const here = import.meta.dirname

/** The command can be run by its first line, as its source can. */
const executableCommand: Plugin = {
  name: 'sotto:executable-command',
  writeBundle({ dir = '' }) {
    chmodSync(join(dir, 'sotto.js'), 0o755)
  },
}

/** The command gets the time at which its build began: what was changed after that may be in it or not (test/process/command.ts). */
const datedByItsBeginning: Plugin = {
  name: 'sotto:dated-by-its-beginning',
  writeBundle({ dir = '' }) {
    const begun = performance.timeOrigin / 1000
    utimesSync(join(dir, 'sotto.js'), begun, begun)
  },
}

/**
 * One build for everything that ships. `main` holds three entries over the same core:
 * the desktop shell, the command line, and the chooser that `npm start` runs.
 */
export default defineConfig({
  main: {
    plugins: [mainPlugins(here), thirdPartyLicences(here), executableCommand, datedByItsBeginning],
    build: {
      outDir: 'out/main',
      // Electron's Node is newer; the headless package also runs on this one.
      target: 'node22',
      // A few large files load in two thirds of the time of the packages' many small ones. Native code cannot be bundled, and
      // lightningdevkit is for development alone.
      externalizeDeps: false,
      chunkSizeWarningLimit: 5000,
      rolldownOptions: {
        external: ['@napi-rs/keyring', 'lightningdevkit'],
        input: {
          index: resolve(here, 'src/main/index.ts'),
          sotto: resolve(here, 'src/cli/sotto.ts'),
          start: resolve(here, 'src/cli/start.ts'),
          // Threads, which core/gateway/channel and core/gateway/tokens find beside the file that their code is built into.
          'setup-worker': resolve(here, 'src/core/gateway/channel/hpke-context-worker.ts'),
          'token-worker': resolve(here, 'src/core/gateway/tokens/token-worker.ts'),
        },
        output: {
          chunkFileNames: '[name]-[hash].js',
          // V8 keeps a file's source, in two bytes a character where one of them is beyond Latin-1: 5 MB of memory at rest.
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
        input: { index: resolve(here, 'src/preload/index.ts') },
        // A sandboxed window's preload must be a single CommonJS file.
        output: { format: 'cjs', entryFileNames: 'index.cjs' },
      },
    },
  },
  renderer: {
    root: resolve(here, 'src/renderer'),
    plugins: [windowPlugins(here), thirdPartyLicences(here)],
    build: {
      outDir: resolve(here, 'out/renderer'),
      minify: true,
      chunkSizeWarningLimit: 1_000,
      // The page's policy takes files of its own, and no font out of a data: address.
      assetsInlineLimit: 0,
      emptyOutDir: true,
      rolldownOptions: { input: resolve(here, 'src/renderer/index.html') },
    },
  },
})
