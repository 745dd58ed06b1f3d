import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'
import { createTemporaryFolder } from '../temporary-folder.ts'
import { buildWindow, windowFolder } from './build-window.ts'
import { findChromiumShell } from './find-chromium.ts'

/**
 * `npm run test:browser [-- playwright arguments]`; `npm run test:matrix`: every screen in each language, width and
 * theme; and `npm run test:firefox`: chats and payments in Firefox ESR.
 */
const matrix = process.argv[2] === '--matrix'
const firefox = process.argv[2] === '--firefox'
const further = process.argv.slice(matrix || firefox ? 3 : 2)
const chosen = [
  ...(matrix ? ['every-screen'] : []),
  ...(firefox ? ['-c', 'test/firefox/playwright.config.ts'] : []),
  ...further,
]

if (!firefox && findChromiumShell() === undefined) {
  console.log('No Chromium was found, so the page tests were not run.')
  console.log(
    'Install one ("apt-get install chromium-headless-shell", "npx playwright install chromium") or name one in CHROMIUM_PATH.',
  )
  // In CI the message may go unread, so skipped tests count as a failure.
  process.exit(process.env['CI'] === undefined ? 0 : 1)
}
if (!existsSync(join(windowFolder, 'index.html'))) await buildWindow()

const command = createRequire(import.meta.url).resolve('@playwright/test/cli')
const cwd = resolve(import.meta.dirname, '../..')
// The command serves some pages from its sources, so Node's compile cache is used as in the other tests.
const temporary = createTemporaryFolder()
const env = {
  ...process.env,
  ...temporary.environment,
  ...(matrix && { SOTTO_SCREENS: 'matrix' }),
  NODE_COMPILE_CACHE: join(cwd, 'node_modules/.cache/compiled-sources'),
}
const { status } = spawnSync(process.execPath, [command, 'test', ...chosen], {
  stdio: 'inherit',
  cwd,
  env,
})
temporary.remove()
process.exit(status ?? 1)
