import { defineConfig } from '@playwright/test'
import { chromiumSwitches } from './test/e2e/chromium-switches.ts'
import { findChromiumShell } from './test/e2e/find-chromium.ts'

const executablePath = findChromiumShell()

/** Page tests of the built window, in real Chromium. `npm run test:browser` runs them. */
export default defineConfig({
  testDir: 'test/e2e',
  workers: 2,
  // A condition is waited for as long as a loaded machine may take.
  timeout: 120_000,
  expect: { timeout: 30_000 },
  forbidOnly: process.env['CI'] !== undefined,
  // A loaded machine gets a second try, which is printed as flaky: a bug, but none that should keep the rest from landing.
  retries: process.env['CI'] === undefined ? 0 : 1,
  // Where only the end of the output may be read, what failed stands at the end.
  reporter: process.env['CI'] === undefined ? 'line' : 'dot',
  use: {
    // A test's pages are closed and its storage is cleared, but Chromium keeps the window's compiled scripts.
    reuseContext: true,
    viewport: { width: 1280, height: 800 },
    locale: 'en-GB',
    launchOptions: { args: chromiumSwitches, ...(executablePath !== undefined && { executablePath }) },
  },
})
