import { defineConfig } from '@playwright/test'

/** The desktop app on Electron itself: where its binary is (`npm run test:electron`). */
export default defineConfig({
  testDir: '.',
  workers: 1,
  timeout: 180_000,
  expect: { timeout: 60_000 },
  forbidOnly: process.env['CI'] !== undefined,
  reporter: 'list',
})
