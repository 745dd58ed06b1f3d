import { spawn, type ChildProcess } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { expect, test } from '@playwright/test'
import type { Report } from './real-lightning-report.ts'

/**
 * The window with the whole core and real payments: two Lightning nodes, a relay, the wallet's protocol, a
 * 402.
 */
let child: ChildProcess
let report: () => Promise<Report>
let first: Report

/** A core, two nodes and a browser run at once, perhaps on a busy machine. */
test.describe.configure({ timeout: 300_000 })

test.beforeAll(async () => {
  const started = spawn(process.execPath, [resolve(import.meta.dirname, '../process/real-lightning.ts')], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  child = started
  const waiting: ((received: Report) => void)[] = []
  // The nodes' library prints its version there first.
  createInterface({ input: started.stdout }).on('line', (line) => {
    if (line.startsWith('{')) waiting.shift()?.(JSON.parse(line) as Report)
  })
  const next = () =>
    new Promise<Report>((resolve, reject) => {
      waiting.push(resolve)
      started.once('exit', (code) => reject(new Error(`it ended with ${String(code)}`)))
    })
  report = () => {
    const answer = next()
    started.stdin.write('\n')
    return answer
  }
  first = await next()
})
test.afterAll(async () => {
  const ended = once(child, 'exit')
  child.stdin?.end()
  await ended
})

test('a video is bought without an account, paid by one Lightning node to another, and shown', async ({
  page,
}) => {
  await page.goto(first.address)
  await expect(page).not.toHaveURL(/code=/)
  const begin = page.getByRole('button', { name: 'Try the demo' })
  const walletLink = page.getByRole('link', { name: /^Wallet/ })
  await expect(begin.or(walletLink).first()).toBeVisible()
  if (await begin.isVisible()) await begin.click()
  await expect(walletLink).toBeVisible()
  await page.evaluate("location.hash = '#/wallet/connection'")
  await page.getByRole('button', { name: 'Connect demo wallet' }).click()
  await expect(page.getByRole('button', { name: 'Disconnect…' }).first()).toBeVisible()

  await page.evaluate("location.hash = '#/wallet/purchases'")
  await page.getByRole('radio', { name: 'Video' }).check()
  // The model is a text field until the models are loaded.
  await page.getByRole('combobox', { name: 'Model', exact: true }).selectOption('sandbox/carosello-video')
  await page.getByLabel('Prompt').fill('Waves at night')
  await page.getByRole('button', { name: 'Get price' }).click()
  const card = page.getByRole('article', { name: /^Video/ })
  await expect(card).toContainText('504 sats')
  expect((await report()).balance).toBe(first.balance)
  await card.getByRole('button', { name: 'Pay 504 sats' }).click()

  const clip = card.getByLabel('Video from sandbox/carosello-video')
  await expect(clip).toHaveAttribute('src', /^blob:/, { timeout: 90_000 })
  await expect
    .poll(() => clip.evaluate((element) => (element instanceof HTMLVideoElement ? element.videoWidth : 0)))
    .toBe(1280)
  await expect(card).toContainText('Delivered')

  const {
    balance,
    purchases: [purchase],
    preimages: [preimage = ''],
    keySent,
  } = await report()
  expect(BigInt(first.balance) - BigInt(balance)).toBe(504_000n)
  expect(createHash('sha256').update(Buffer.from(preimage, 'hex')).digest('hex')).toBe(purchase?.paymentHash)
  expect(keySent).toBe(false)
  expect(await page.evaluate('document.documentElement.outerHTML')).not.toContain(preimage)
})
