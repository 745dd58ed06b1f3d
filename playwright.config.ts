import { defineConfig } from '@playwright/test'
import { chromiumSwitches } from './test/e2e/chromium-switches.ts'
import { findChromiumShell } from './test/e2e/find-chromium.ts'

const executablePath = findChromiumShell()

/** Page tests of the built window, in real Chromium. `npm run test:browser` runs them. */
export default defineConfig({
  testDir: 'test/e2e',
  // One more than the number of processors, because a page test waits for half of its time.
  workers: 3,
  // Waits for a condition as long as a loaded machine may take.
  timeout: 120_000,
  expect: { timeout: 30_000 },
  forbidOnly: process.env['CI'] !== undefined,
  // A loaded machine gets a second try, which is reported as flaky. That is a bug, but it shouldn't block
  // other changes.
  retries: process.env['CI'] === undefined ? 0 : 1,
  // `dot` prints the failures at the end, because only the end of the output may be visible.
  reporter: process.env['CI'] === undefined ? 'line' : 'dot',
  use: {
    // A test's pages are closed and its storage is cleared, but Chromium keeps the window's compiled scripts.
    reuseContext: true,
    viewport: { width: 1280, height: 800 },
    locale: 'en-GB',
    launchOptions: { args: chromiumSwitches, ...(executablePath !== undefined && { executablePath }) },
  },
})
