import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from '@playwright/test'
import { startSotto, type SottoProcess } from '../process/sotto-process.ts'
import { showRealWindow } from './show-real-window.ts'

/** Of the vault that startSotto creates. */
const PASSPHRASE = 'correct horse'

let folder: string
let sotto: SottoProcess

test.beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sotto-deep-link-'))
  sotto = await startSotto(folder)
})
test.afterEach(async () => {
  await sotto.stop('SIGTERM')
  await rm(folder, { recursive: true, force: true })
})

test('a bookmark leads to its view, through a new tab and a locked vault', async ({ page, context }) => {
  await showRealWindow(page, sotto)
  await sotto.call('vault/lock')
  const { origin } = new URL(await sotto.newAddress())
  const bookmark = await context.newPage()
  await bookmark.goto(`${origin}/#/wallet/activity`)
  await expect(bookmark.getByRole('heading', { name: 'Tab not connected' })).toBeVisible()
  await expect(bookmark.getByRole('button', { name: 'Copy command' })).toBeVisible()
  await expect(bookmark).toHaveURL(/#\/wallet\/activity$/)
  const opened = await context.newPage()
  await opened.goto(await sotto.newAddress())
  const passphrase = opened.getByLabel('Passphrase', { exact: true })
  await passphrase.fill(PASSPHRASE)
  await expect(opened).toHaveURL(/#\/wallet\/activity$/)
  await passphrase.press('Enter')
  await expect(opened.getByRole('tab', { name: 'Activity' })).toHaveAttribute('aria-selected', 'true')
})
