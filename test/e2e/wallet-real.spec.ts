import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test, type Page } from '@playwright/test'
import { codesIn, startSotto, type SottoProcess } from '../process/sotto-process.ts'
import { showRealWindow } from './show-real-window.ts'
import { readQr } from './read-qr.ts'

/** The whole product: the window, the core, the sandbox's service and its wallet over a relay. */
let folder: string
let sotto: SottoProcess

test.beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sotto-wallet-'))
  sotto = await startSotto(folder)
})
test.afterEach(async () => {
  await sotto.stop('SIGTERM')
  await rm(folder, { recursive: true, force: true })
})

const run = promisify(execFile)
const invoice = (page: Page) => page.getByRole('article', { name: /^Top-up:/ })
const code = (page: Page) => page.getByRole('img', { name: /^QR code/ })

/** Answers the terminal's question, if there is one, until `done` is in view. */
async function confirmUntil(page: Page, done: ReturnType<Page['getByText']>): Promise<void> {
  const field = page.getByLabel('Code from your terminal')
  await expect(done.or(field).first()).toBeVisible()
  if (await field.isVisible()) {
    const code = () => codesIn(sotto.stderr()).at(-1)
    await expect.poll(code).toBeDefined()
    await field.fill(code()!)
    await page.keyboard.press('Enter')
  }
  await expect(done).toBeVisible()
}

/** Simulated money needs no confirmation: the wallet is connected and pays. */
async function payInDemo(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Pay with demo wallet' }).click()
  await expect(invoice(page).getByText('Paid', { exact: true }).first()).toBeVisible()
  await expect(page.getByLabel('Code from your terminal')).toHaveCount(0)
}

async function askForInvoice(page: Page, amount: string): Promise<void> {
  await page.getByRole('group', { name: 'Amounts' }).getByRole('button', { name: 'Other' }).click()
  await page.getByLabel('Amount', { exact: true }).fill(amount)
  await page.keyboard.press('Enter')
  await expect(code(page)).toBeVisible()
}

test('a Lightning top-up is created, scanned as a QR code, paid from the demo wallet, and credited', async ({
  page,
}) => {
  await showRealWindow(page, sotto, '#/wallet')
  const balance = page.getByTestId('balance')
  await expect(balance).toHaveText(/^\$\d/)
  const before = await balance.getAttribute('title')
  await page.evaluate('location.hash = "#/wallet/add"')
  await askForInvoice(page, '1')
  const [topup] = (await sotto.call('topups/list')) as { uri: string; lightningInvoice: string }[]
  expect(topup!.uri).toBe(`LIGHTNING:${topup!.lightningInvoice.toUpperCase()}`)
  expect(topup!.lightningInvoice).toMatch(/^lnbcrt/)
  await expect.poll(() => readQr(code(page))).toBe(topup!.uri)
  await expect(page.getByText('Not payable')).toBeVisible()

  // The invoice is still there after a reload, and after a restart of Sotto.
  await page.reload()
  await expect(code(page)).toBeVisible()
  await sotto.stop('SIGKILL')
  sotto = await startSotto(folder)
  await showRealWindow(page, sotto, '#/wallet')
  await expect.poll(() => readQr(code(page))).toBe(topup!.uri)

  await payInDemo(page)
  await expect(code(page)).toHaveCount(0)
  await expect(balance).not.toHaveAttribute('title', before!)
  const dollars = (title: string) => BigInt(Math.round(Number(title.slice(1)) * 1e6))
  expect(dollars((await balance.getAttribute('title'))!) - dollars(before!)).toBe(1_000_000n)
  await invoice(page).getByRole('button', { name: 'Done' }).click()
  await expect(page.getByRole('region', { name: 'Past top-ups' }).getByRole('article')).toContainText('$1.00')
})

for (const [name, scheme] of [
  ['Bitcoin', 'bitcoin'],
  ['Litecoin', 'litecoin'],
  ['Bitcoin (Liquid)', 'liquid'],
  ['Monero', 'monero'],
] as const) {
  test(`a top-up by ${name} shows a test network address that a QR scanner reads exactly`, async ({
    page,
  }) => {
    await showRealWindow(page, sotto, '#/wallet/add')
    await page.getByRole('group', { name: 'Amounts' }).getByRole('button', { name: 'Other' }).click()
    await page.getByRole('group', { name: 'Pay with' }).getByRole('button', { name, exact: true }).click()
    await page.getByLabel('Amount', { exact: true }).fill('12.50')
    await page.keyboard.press('Enter')
    await expect(code(page)).toBeVisible()
    const [topup] = (await sotto.call('topups/list')) as { uri: string; address: string }[]
    expect(topup!.uri.startsWith(scheme)).toBe(true)
    await expect.poll(() => readQr(code(page))).toBe(topup!.uri)
    await expect(invoice(page)).toContainText(topup!.address)
  })
}

test('a second account is created and activated, shows its credentials once, and the first one can be activated again', async ({
  page,
}) => {
  await showRealWindow(page, sotto, '#/wallet/accounts')
  await expect(page.getByTestId('balance')).toHaveText(/^\$[1-9]/)
  const full = await page.getByTestId('balance').innerText()
  const first = await page.getByRole('article').first().getByRole('heading').innerText()
  await page.getByRole('button', { name: 'New account…' }).click()
  await page.getByLabel('Name (optional)').fill('Second')
  await page.getByRole('button', { name: 'Create account' }).click()
  const saving = page.getByRole('dialog', { name: 'Credentials for Second' })
  await confirmUntil(page, saving.getByText('API key').first())
  const [apiKey = '', creditId = ''] = await saving.getByTestId('secret').allInnerTexts()
  expect(apiKey).toMatch(/^sk-/)
  expect(creditId.length).toBeGreaterThan(20)

  await saving.getByRole('button', { name: 'Save encrypted backup…' }).click()
  await saving.getByLabel('Backup passphrase').fill('correct horse battery staple')
  await saving.getByLabel('Confirm passphrase').fill('correct horse battery staple')
  const download = page.waitForEvent('download')
  await saving.getByRole('button', { name: 'Save backup' }).click()
  await confirmUntil(page, saving.getByText('exported as'))
  const file = join(folder, 'backup.json')
  await (await download).saveAs(file)
  await saving.getByRole('button', { name: 'I’ve saved them' }).click()
  await expect(saving).toHaveCount(0)

  const second = page.getByRole('article', { name: 'Second' })
  await expect(second).toContainText('Active')
  // From now on top-ups credit only this account.
  await page.evaluate('location.hash = "#/wallet/add"')
  await askForInvoice(page, '2')
  await payInDemo(page)
  const richer = `$${(Number(full.slice(1)) + 2).toFixed(2)}`
  await page.getByRole('tab', { name: 'Accounts' }).click()
  await expect(page.getByTestId('balance')).toHaveText(richer)
  await page.getByRole('button', { name: `Use ${first}` }).click()
  await expect(page.getByRole('article', { name: first, exact: true })).toContainText('Active')
  await expect(page.getByTestId('balance')).toHaveText(full)

  // The removed account can be restored from the file, and the active account stays active.
  await page.getByRole('button', { name: 'Remove Second' }).click()
  await page.getByRole('button', { name: 'Remove' }).click()
  await expect(second).toHaveCount(0)
  await page.getByRole('button', { name: 'Restore…' }).click()
  await page.getByTestId('file-input').setInputFiles(file)
  await page.getByLabel('Backup passphrase').fill('correct horse battery staple')
  await page.getByRole('button', { name: 'Restore', exact: true }).click()
  await confirmUntil(page, page.getByText('One account added'))
  await page.getByRole('button', { name: 'Done' }).click()
  await expect(second).toBeVisible()

  // Neither the tab nor any file of the data folder, including the backup, contains a credential in
  // plaintext. Only the simulated service has its own.
  const tab = await page.evaluate(async () =>
    JSON.stringify([
      document.documentElement.outerHTML,
      Object.entries(localStorage),
      Object.entries(sessionStorage),
      await indexedDB.databases(),
    ]),
  )
  for (const secret of [apiKey, creditId]) {
    expect(tab).not.toContain(secret)
    expect(
      await run('grep', ['-rlF', '--exclude-dir=sandbox', secret, folder]).then(
        ({ stdout }) => stdout,
        () => '',
      ),
    ).toBe('')
  }
})
