import { defineConfig } from '@playwright/test'
import chromium from '../../playwright.config.ts'

/** The page tests of chats and payments in Debian's Firefox ESR. `npm run test:firefox` runs them. */
export default defineConfig({
  ...chromium,
  testDir: '../e2e',
  outputDir: '../../test-results/firefox',
  testMatch: [
    'private-chat.spec.ts',
    'chat-window.spec.ts',
    'wallet.spec.ts',
    'wallet-real.spec.ts',
    'money-real.spec.ts',
    'add-funds.spec.ts',
  ],
  grepInvert: [
    // WebDriver BiDi has no downloads.
    /its proof is saved as a file/,
    /the credentials are copied, backed up/,
    /are backed up and restored/,
    // It reads the clipboard only after a press.
    /clear a copied key from the clipboard/,
    // Behind the last control, Tab leaves the page for the browser's own controls.
    /is completed by keyboard only/,
    // "Execution context was destroyed", for an unknown reason.
    /have a receipt if they are paid/,
    /that the service returned without an API key/,
    /a second account is created and activated/,
    // Debian's Firefox decodes video only with libraries that it recommends.
    /and the video plays/,
  ],
  // A timeout of the tests in Chromium would hide a hanging driver.
  timeout: 60_000,
  workers: 2,
  retries: 0,
  use: {
    viewport: { width: 1280, height: 800 },
    locale: 'en-GB',
    browserName: 'firefox',
    channel: 'moz-firefox',
    launchOptions: { executablePath: `${import.meta.dirname}/firefox.mjs` },
  },
})
