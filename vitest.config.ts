import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { windowPlugins } from './build/window-plugins.ts'

export default defineConfig({
  plugins: [windowPlugins(import.meta.dirname)],
  test: {
    include: ['test/**/*.test.ts'],
    exclude: ['test/e2e/**', 'test/fuzz/**'],
    globalSetup: ['test/temporary-folder.ts'],
    setupFiles: ['test/passphrase-cost.ts'],
    // Many tests start the command, from its sources: what Node makes of them is kept, and halves that.
    env: { NODE_COMPILE_CACHE: join(import.meta.dirname, 'node_modules/.cache/compiled-sources') },
    // A condition is waited for as long as a loaded machine may take.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 60_000 } },
    // A second try on a loaded machine: it is printed as retried, and is a bug to mend.
    retry: process.env['CI'] === undefined ? 0 : 1,
    // One more than processors: many tests wait for a process that they started.
    maxWorkers: 3,
  },
})
