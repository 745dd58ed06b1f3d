import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { windowPlugins } from './build/window-plugins.ts'

/** Changes to the process that a later test file in it could notice. */
const CHANGES_ITS_PROCESS =
  /\bvi\.(?!fn\b|waitFor\b|waitUntil\b)|process\.env\[[^\]]*\] =|process\.chdir|syncBuiltinESMExports/

/**
 * The core and the sandbox are large. Loading them once for many files, instead of once per file, takes a
 * fifth of the time.
 */
const sharing = globSync('test/{core,ehbp,shared,sandbox,verifier}/**/*.test.ts', {
  cwd: import.meta.dirname,
}).filter((file) => !CHANGES_ITS_PROCESS.test(readFileSync(join(import.meta.dirname, file), 'utf8')))

const NOT_VITESTS = ['test/e2e/**', 'test/fuzz/**']

export default defineConfig({
  plugins: [windowPlugins(import.meta.dirname)],
  test: {
    projects: [
      { extends: true, test: { name: 'one process', include: sharing, isolate: false } },
      {
        extends: true,
        test: { name: 'own process', include: ['test/**/*.test.ts'], exclude: [...NOT_VITESTS, ...sharing] },
      },
    ],
    globalSetup: ['test/temporary-folder.ts'],
    setupFiles: ['test/passphrase-cost.ts'],
    // Many tests start the command from its sources. Node's compile cache halves that time.
    env: { NODE_COMPILE_CACHE: join(import.meta.dirname, 'node_modules/.cache/compiled-sources') },
    // Waits for a condition as long as a loaded machine may take.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 60_000 } },
    // A second try on a loaded machine. It is reported as retried, and is a bug to fix.
    retry: process.env['CI'] === undefined ? 0 : 1,
    // One more than the number of processors, because many tests wait for a process that they started.
    maxWorkers: 3,
  },
})
