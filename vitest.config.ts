import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { windowPlugins } from './build/window-plugins.ts'

const here = import.meta.dirname
const APART = ['test/e2e/**', 'test/fuzz/**']

/** Replaces modules, which would be replaced for whoever comes after it in the same process. */
const REPLACES = /\bvi\.(?:mock|unmock|doMock|resetModules)\(/
const alone = [
  // The built shell, which is imported for what happens while it is.
  'test/shell/**/*.test.ts',
  ...globSync('test/**/*.test.ts', { cwd: here }).filter((file) => REPLACES.test(readFileSync(join(here, file), 'utf8'))),
]

export default defineConfig({
  plugins: [windowPlugins(here)],
  test: {
    projects: [
      // What one file has loaded and compiled serves the next: half of the time that a process for each takes.
      { extends: true, test: { name: 'together', include: ['test/**/*.test.ts'], exclude: [...APART, ...alone], isolate: false } },
      { extends: true, test: { name: 'alone', include: alone, exclude: APART } },
    ],
    setupFiles: ['test/passphrase-cost.ts'],
    // Many tests start the command, from its sources: what Node makes of them is kept, and halves that.
    env: { NODE_COMPILE_CACHE: join(here, 'node_modules/.cache/compiled-sources') },
    // A condition is waited for as long as a loaded machine may take.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 60_000 } },
    // A second try on a loaded machine: it is printed as retried, and is a bug to mend.
    retry: process.env['CI'] === undefined ? 0 : 1,
    maxWorkers: 2,
  },
})
