import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test, type Locator, type Page } from '@playwright/test'
import { startSotto, type SottoProcess } from '../process/sotto-process.ts'
import { showRealWindow } from './show-real-window.ts'
import { readQr } from './read-qr.ts'

/** How many presses of the pointer a newcomer needs, in the product as a whole. */
let folder: string
let sotto: SottoProcess

test.beforeEach(async ({ page }) => {
  folder = await mkdtemp(join(tmpdir(), 'sotto-steps-'))
  sotto = await startSotto(folder)
  await page.setViewportSize({ width: 1280, height: 800 })
  await page.addInitScript(() => {
    const counted = globalThis as { pressed?: number }
    counted.pressed = 0
    // A press of a key is a click without a pointer, which has no detail.
    addEventListener(
      'click',
      ({ detail }) => (counted.pressed = (counted.pressed ?? 0) + (detail > 0 ? 1 : 0)),
      true,
    )
  })
})
test.afterEach(async () => {
  await sotto.stop('SIGTERM')
  await rm(folder, { recursive: true, force: true })
})

const presses = (page: Page) => page.evaluate(() => (globalThis as { pressed?: number }).pressed)
const startCounting = (page: Page) =>
  page.evaluate(() => {
    ;(globalThis as { pressed?: number }).pressed = 0
  })
const view = (page: Page, name: string): Locator =>
  page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name })

test('a private reply in demo mode takes one press', async ({ page }) => {
  await page.goto(await sotto.newAddress())
  await page.getByRole('button', { name: 'Try the demo' }).click()
  await expect(page.getByRole('textbox', { name: 'Message', exact: true })).toBeFocused()
  await page.keyboard.type('Hello')
  await page.keyboard.press('Enter')
  const replies = page.locator('article')
  await expect(replies.getByRole('button', { name: /Private.*Receipt/ })).toBeVisible({ timeout: 30_000 })
  expect(await presses(page)).toBe(1)
})

test('the code of a top-up takes two presses, and is in view whole', async ({ page }) => {
  await showRealWindow(page, sotto)
  await startCounting(page)
  await view(page, 'Wallet').click()
  await page.getByRole('button', { name: 'Add funds' }).click()
  const code = page.getByRole('img', { name: /^QR code/ })
  await expect(code).toBeInViewport({ ratio: 1 })
  expect(await presses(page)).toBe(2)
  const [topup] = (await sotto.call('topups/list')) as { uri: string }[]
  await expect.poll(() => readQr(code)).toBe(topup?.uri)
  const below = await page.getByRole('main').evaluate((main) => main.scrollHeight - main.clientHeight)
  expect(below).toBe(0)
})

test('a picture takes two presses', async ({ page }) => {
  await showRealWindow(page, sotto)
  await startCounting(page)
  await view(page, 'Studio').click()
  await page.getByRole('textbox', { name: 'Prompt' }).fill('A quiet place by the sea')
  await page.getByRole('button', { name: /^Generate(?: · .*)?$/ }).click()
  const picture = page.getByRole('region', { name: 'Images' }).getByRole('article').first()
  await expect(picture).toContainText('Done', { timeout: 60_000 })
  expect(await presses(page)).toBe(2)
})

test('the settings of an editor take four presses, and work', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await showRealWindow(page, sotto)
  await startCounting(page)
  await view(page, 'Developer').click()
  await page.getByRole('link', { name: /^Continue/ }).click()
  await page.getByRole('button', { name: 'Create key' }).click()
  await page
    .getByRole('button', { name: /^Copy: / })
    .first()
    .click()
  const settings = await page.evaluate<string>('navigator.clipboard.readText()')
  expect(await presses(page)).toBe(4)
  expect(settings).toContain(sotto.ready.proxy.baseUrl)
  const key = /sk-sotto-[\w-]+/.exec(settings)?.[0] ?? ''
  const models = await fetch(`${sotto.ready.proxy.baseUrl}/models`, {
    headers: { authorization: `Bearer ${key}` },
  })
  expect(models.status).toBe(200)
})
