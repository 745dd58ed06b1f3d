import { defineConfig } from '@playwright/test'
import { findChromium } from './test/e2e/find-chromium.ts'

const executablePath = findChromium()

/** Page tests of the built window, in real Chromium. `npm run test:browser` runs them. */
export default defineConfig({
  testDir: 'test/e2e',
  workers: 2,
  // A condition is waited for as long as a loaded machine may take.
  timeout: 120_000,
  expect: { timeout: 30_000 },
  forbidOnly: process.env['CI'] !== undefined,
  reporter: 'line',
  use: {
    viewport: { width: 1280, height: 800 },
    locale: 'en-GB',
    ...(executablePath === undefined ? {} : { launchOptions: { executablePath } }),
  },
})
