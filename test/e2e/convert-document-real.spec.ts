import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test, type Page } from '@playwright/test'
import { zipSync } from 'fflate'
import type { Receipt } from '../../src/shared/receipt.ts'
import { startSotto, type SottoProcess } from '../process/sotto-process.ts'
import { axeFaults } from './axe.ts'
import { pdfOf } from './files/pdf.ts'
import { showRealWindow } from './show-real-window.ts'
import { addToMessage } from './open-window.ts'

/** The product whole, over the sandbox: a document that the enclave converts because a person accepted the fee. */
let folder: string
let sotto: SottoProcess

test.beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sotto-convert-'))
  sotto = await startSotto(folder)
})
test.afterAll(async () => {
  await sotto.stop('SIGTERM')
  await rm(folder, { recursive: true, force: true })
})

const attached = (page: Page) => page.locator('form').getByRole('list', { name: 'Attached files' })
const notAttached = (page: Page) => page.getByRole('list', { name: 'Not attached' })
const receipts = async () =>
  ((await sotto.call('receipts/list', {})) as Receipt[]).filter(({ path }) => path === '/v1/convert/file')

async function choose(page: Page, name: string, buffer: Buffer): Promise<void> {
  const chooser = page.waitForEvent('filechooser')
  await addToMessage(page, 'Attach files…')
  await (await chooser).setFiles([{ name, mimeType: 'application/octet-stream', buffer }])
}

/** A Word file whose text is in a picture: Sotto reads none, and the simulated converter reads all text between tags. */
const docx = (text: string) =>
  Buffer.from(
    zipSync({
      'word/document.xml': Buffer.from(`<w:p><w:pict>${text}</w:pict></w:p>`),
      'padding.bin': Buffer.alloc(64),
    }),
  )

test('a PDF is read on this computer, and converted only after its fee was accepted', async ({ page }) => {
  await showRealWindow(page, sotto)
  await choose(page, 'heron.pdf', pdfOf(['the heron stands']))
  await expect(attached(page)).toContainText('PDF, 1 page')
  await page.getByRole('button', { name: 'Convert heron.pdf in the enclave…' }).click()
  const dialog = page.getByRole('alertdialog', { name: 'Convert heron.pdf in the enclave?' })
  await expect(dialog).toContainText('Only the enclave can read it')
  await expect(dialog).toContainText('charges $0.01 for each document')
  await expect(dialog).toContainText('goes to this chat’s model')
  expect(await axeFaults(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  expect(await receipts()).toEqual([])

  await page.getByRole('button', { name: 'Convert heron.pdf in the enclave…' }).click()
  await dialog.getByRole('button', { name: 'Convert for $0.01' }).click()
  const chip = attached(page).getByRole('button', { name: /^heron\.pdf/ })
  await expect(chip).toContainText('Text, about')
  expect(await receipts()).toMatchObject([
    { caller: { kind: 'window' }, privacy: 'sealed', outcome: 'complete' },
  ])
  await expect(page.getByRole('button', { name: 'Convert heron.pdf in the enclave…' })).toHaveCount(0)
  await chip.click()
  await expect(page.getByRole('dialog', { name: 'heron.pdf' }).getByLabel('File text')).toHaveText(
    'the heron stands',
  )
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Remove heron.pdf' }).click()
})

test('a Word file without text that Sotto can read can be converted in place of its error', async ({
  page,
}) => {
  await showRealWindow(page, sotto)
  await choose(page, 'coot.docx', docx('the coot swims'))
  await expect(notAttached(page)).toContainText('coot.docx')
  expect(await axeFaults(page)).toEqual([])
  await notAttached(page).getByRole('button', { name: 'Convert in the enclave…' }).click()
  await page.getByRole('button', { name: 'Convert for $0.01' }).click()
  await expect(attached(page)).toContainText('coot.docx')
  await expect(attached(page)).toContainText('Text, about')
  await expect(notAttached(page)).toHaveCount(0)
  await page.getByRole('button', { name: 'Remove coot.docx' }).click()
})

test('a scan without text tells that the enclave found none, and isn’t offered again', async ({ page }) => {
  await showRealWindow(page, sotto)
  await choose(page, 'scan.pdf', pdfOf(['']))
  await expect(notAttached(page)).toContainText('This PDF contains no text')
  await notAttached(page).getByRole('button', { name: 'Convert in the enclave…' }).click()
  await page.getByRole('button', { name: 'Convert for $0.01' }).click()
  await expect(notAttached(page)).toContainText('The enclave found no text')
  await expect(page.getByRole('button', { name: 'Convert in the enclave…' })).toHaveCount(0)
})

test('a conversion can be stopped, and the text that was read on this computer stays attached', async ({
  page,
}) => {
  await showRealWindow(page, sotto)
  await choose(page, 'grebe.pdf', pdfOf(['the grebe dives']))
  await sotto.call('sandbox/setRouteFault', {
    routes: ['POST /private/v1/convert/file'],
    fault: { latencyMs: 30_000 },
  })
  await page.getByRole('button', { name: 'Convert grebe.pdf in the enclave…' }).click()
  await page.getByRole('button', { name: 'Convert for $0.01' }).click()
  await expect(attached(page)).toContainText('Converting in the enclave…')
  await page.getByRole('textbox', { name: 'Message', exact: true }).fill('Hello')
  await expect(page.getByRole('button', { name: 'Send' })).toBeDisabled()
  expect(await axeFaults(page)).toEqual([])
  await page.getByRole('button', { name: 'Stop converting grebe.pdf' }).click()
  await expect(attached(page)).toContainText('PDF, 1 page')
  await expect.poll(async () => (await receipts())[0]?.outcome).toBe('cancelled')
  await expect(page.getByRole('button', { name: 'Send' })).toBeEnabled()
})
