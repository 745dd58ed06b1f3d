import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test, type Page } from '@playwright/test'
import type { Purchase } from '../../src/shared/purchase.ts'
import { codesIn, startSotto, type SottoProcess } from '../process/sotto-process.ts'
import { showRealWindow } from './show-real-window.ts'
import { readQr } from './read-qr.ts'
import { actOn } from './screens/key-screens.ts'
import { wholePage } from './whole-page.ts'

/** The whole product: the window, the core, the sandbox's service, and its wallet over a real relay. */
let folder: string
let sotto: SottoProcess

test.beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sotto-money-'))
  sotto = await startSotto(folder)
})
test.afterEach(async () => {
  await sotto.stop('SIGTERM')
  await rm(folder, { recursive: true, force: true })
})

const run = promisify(execFile)
const codes = () => codesIn(sotto.stderr())
const card = (page: Page, name: RegExp) => page.getByRole('article', { name })
const purchases = async () => (await sotto.call('purchases/list')) as Purchase[]

/** Presses a button, and enters the code that the terminal then shows. */
async function confirmed(page: Page, press: () => Promise<void>): Promise<void> {
  const before = codes().length
  await press()
  await expect(page.getByLabel('Code from your terminal')).toBeVisible()
  await expect.poll(() => codes().length).toBe(before + 1)
  await page.getByLabel('Code from your terminal').fill(codes().at(-1) ?? '')
  await page.keyboard.press('Enter')
  await expect(page.getByLabel('Code from your terminal')).toHaveCount(0)
}

/**
 * Disconnects the account, and waits until the window shows it. The window reloads its purchases when the
 * account changes.
 */
async function disconnected(page: Page): Promise<void> {
  await sotto.call('accounts/disconnect')
  await expect(page.getByText('No account is active')).toBeVisible()
}

async function connectSimulated(page: Page): Promise<void> {
  await page.evaluate('location.hash = "#/wallet/connection"')
  await page.getByRole('button', { name: 'Connect demo wallet' }).click()
  await expect(page.getByText('Demo wallet')).toBeVisible()
  await expect(page.getByText(/[\d,]+ sats.*connection budget/)).toBeVisible()
}

test('an image is bought without an account from the demo wallet, shown, and shown again after a restart', async ({
  page,
}) => {
  await showRealWindow(page, sotto, '#/wallet/connection')
  await disconnected(page)
  await connectSimulated(page)
  await page.getByRole('tab', { name: 'Balance' }).click()
  await page.getByRole('button', { name: 'Pay per request' }).click()
  await page.getByLabel('Model', { exact: true }).selectOption('sandbox/bozzetto-image')
  await page.getByLabel('Prompt').fill('A quiet room by the sea')
  await page.getByRole('button', { name: 'Get price' }).click()
  const image = card(page, /^Image sandbox\/bozzetto-image/)
  await expect(image).toContainText('Price quoted')
  await expect(image).toContainText('None: Lightning payments are final')
  await expect(image).toContainText(/\$0\.01\d* if paid from a balance/)
  await image.getByText('Pay with another wallet').click()
  const [quoted] = await purchases()
  await expect.poll(() => readQr(image.getByRole('img', { name: /^Lightning invoice/ }))).toBe(quoted?.uri)
  expect(quoted?.uri).toMatch(/^LIGHTNING:LNBCRT/)
  await expect(image).toContainText('Not payable')
  await confirmed(page, () => page.getByRole('button', { name: /^Pay [\d,]+ sats$/ }).click())
  const picture = image.getByRole('img', { name: 'Image from sandbox/bozzetto-image' })
  await expect(picture).toHaveAttribute('src', /^blob:/)
  await expect
    .poll(() =>
      picture.evaluate((element) => (element instanceof HTMLImageElement ? element.naturalWidth : 0)),
    )
    .toBeGreaterThan(100)
  await expect(image).toContainText('Delivered')
  await page.getByRole('tab', { name: 'Payment methods' }).click()
  await expect(page.getByText(/^[\d.,]+ sats paid, including fees/)).toBeVisible()
  await expect(page.getByRole('button', { name: 'Remove sandbox' })).toBeVisible()

  // The picture was sealed with the other data, and is still there after a restart.
  const picturesAtRest = await run('grep', ['-rlaF', '\x89PNG', folder]).then(
    ({ stdout }) => stdout,
    () => '',
  )
  expect(picturesAtRest).toBe('')
  await sotto.stop('SIGKILL')
  sotto = await startSotto(folder)
  await showRealWindow(page, sotto, '#/wallet/purchases')
  await image.getByRole('button', { name: 'Show result' }).click()
  await expect
    .poll(() =>
      picture.evaluate((element) => (element instanceof HTMLImageElement ? element.naturalWidth : 0)),
    )
    .toBeGreaterThan(100)
})

test('data and a video are bought one after the other; the second needs no confirmation, and the video plays', async ({
  page,
}) => {
  await showRealWindow(page, sotto, '#/wallet/connection')
  await disconnected(page)
  await connectSimulated(page)
  await confirmed(page, async () => {
    await page.getByLabel('Pay without asking, up to').fill('100000')
    await page.getByLabel('Maximum per payment').fill('100000')
    await page.getByLabel('Maximum in any 24 hours').fill('100000')
    await page.getByLabel('Maximum per host in 24 hours').fill('100000')
    await page.getByRole('button', { name: 'Save limits' }).click()
  })
  await page.getByRole('tab', { name: 'Balance' }).click()
  await page.getByRole('button', { name: 'Pay per request' }).click()
  await page.getByRole('radio', { name: 'Data' }).check()
  await page
    .getByLabel('Data', { exact: true })
    .and(page.locator('select'))
    .selectOption('POST /api/websearch/search')
  await page.getByLabel('Request (JSON)').fill('{"query": "quiet rooms"}')
  await page.getByRole('button', { name: 'Get price' }).click()
  await confirmed(page, () => page.getByRole('button', { name: /^Pay [\d,]+ sats$/ }).click())
  await expect(card(page, /^Data/).getByRole('region', { name: 'Reply' })).toContainText('{')

  await page.getByRole('radio', { name: 'Video' }).check()
  await page.getByLabel('Model', { exact: true }).selectOption('sandbox/carosello-video')
  await page.getByLabel('Prompt').fill('The tide comes in')
  await page.getByRole('button', { name: 'Get price' }).click()
  await page.getByRole('button', { name: /^Pay [\d,]+ sats$/ }).click()
  const video = card(page, /^Video/).getByLabel('Video from sandbox/carosello-video')
  await expect(video).toBeVisible({ timeout: 90_000 })
  await expect
    .poll(() => video.evaluate((element) => (element instanceof HTMLVideoElement ? element.duration : 0)))
    .toBeGreaterThan(1)
  await expect(page.getByRole('alertdialog')).toHaveCount(0)
})

test('the automatic top-up receives the demo wallet’s own connection, and can be disconnected', async ({
  page,
}) => {
  await showRealWindow(page, sotto, '#/wallet/connection')
  const topup = page.getByRole('region', { name: 'Automatic top-up' })
  await confirmed(page, () => topup.getByRole('button', { name: 'Send demo wallet connection…' }).click())
  await expect(topup).toContainText('On: the service has a wallet connection')
  await expect(topup).toContainText('$10.00')
  await topup.getByRole('button', { name: 'Disconnect…' }).click()
  await page.getByRole('button', { name: 'Disconnect', exact: true }).click()
  await expect(topup.getByRole('status')).toContainText('Remove it in your wallet now')
})

test('a key is created, edited, shown, rotated while in use, and revoked', async ({ page }) => {
  await showRealWindow(page, sotto, '#/developer/keys')
  await expect(page.getByRole('article', { name: 'Default', exact: true })).toContainText('Used by Sotto')
  await page.getByRole('button', { name: 'Create key' }).click()
  await page.getByRole('dialog').getByLabel('Service').check()
  await page.getByLabel('Name').fill('Build server')
  await page.getByLabel('US dollars').fill('2.50')
  await page.getByRole('button', { name: 'Create key' }).click()
  const secret = await page.getByTestId('secret').innerText()
  expect(secret).toMatch(/^sk-/)
  await page.getByRole('button', { name: 'I’ve copied it' }).click()
  const build = page.getByRole('article', { name: 'Build server', exact: true })
  await expect(build).toContainText('$0.00 of $2.50 per month')

  await actOn(page, 'Build server', 'Edit')
  await page.getByLabel('US dollars').fill('3')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(build).toContainText('$0.00 of $3.00 per month')

  await actOn(page, 'Build server', 'Show')
  await confirmed(page, () => page.getByRole('button', { name: 'Show for 30 seconds' }).click())
  await expect(page.getByTestId('secret')).toHaveText(secret)
  await page.getByRole('button', { name: 'Hide now' }).click()

  await actOn(page, 'Default', 'Rotate')
  await confirmed(page, () => page.getByRole('button', { name: 'Rotate', exact: true }).click())
  await expect(page.getByRole('dialog')).toContainText('The old key is revoked and no longer works.')
  await page.getByRole('button', { name: 'I’ve copied it' }).click()
  await expect(page.getByRole('article', { name: /Default/ })).toContainText('Used by Sotto')
  // The new key works, because Sotto requests the balance with it.
  await expect
    .poll(async () => ((await sotto.call('accounts/balance')) as { picoUsd?: string }).picoUsd)
    .toMatch(/^\d+$/)

  await actOn(page, 'Build server', 'Revoke')
  await page.getByRole('button', { name: 'Revoke', exact: true }).click()
  await expect(build).toHaveCount(0)
  await page.getByLabel('Show revoked').check()
  await expect(build).toContainText('Revoked')
  expect(await wholePage(page)).not.toContain(secret)
  // The sandbox folder is left out, because the sandbox is the service and knows its keys.
  const found = await run('grep', ['-rlaF', '--exclude-dir=sandbox', secret, folder]).then(
    ({ stdout }) => stdout,
    () => '',
  )
  expect(found).toBe('')
})
