import type { Page } from '@playwright/test'
import { axeFaults } from './axe.ts'
import { pdfOf } from './files/pdf.ts'
import { failure } from './mock-server.ts'
import { expect, test } from './window-test.ts'
import { addToMessage } from './open-window.ts'

async function attachPdf(page: Page): Promise<void> {
  const chooser = page.waitForEvent('filechooser')
  await addToMessage(page, 'Attach files…')
  await (
    await chooser
  ).setFiles([{ name: 'heron.pdf', mimeType: 'application/pdf', buffer: pdfOf(['the heron stands']) }])
  await expect(page.getByRole('list', { name: 'Attached files' })).toContainText('PDF, 1 page')
}

test('a service that doesn’t convert documents offers nothing', async ({ window: { open, page } }) => {
  await open()
  await attachPdf(page)
  await expect(page.getByRole('button', { name: /^Convert/ })).toHaveCount(0)
})

test('a fee that isn’t published is named as one, and a failure leaves the file as it was', async ({
  window: { open, page, mock },
}) => {
  mock.state.status.service.documentConversion = {}
  await open()
  await attachPdf(page)
  await page.getByRole('button', { name: 'Convert heron.pdf in the enclave…' }).click()
  const dialog = page.getByRole('alertdialog', { name: 'Convert heron.pdf in the enclave?' })
  await expect(dialog).toContainText('It doesn’t publish the fee.')
  expect(await axeFaults(page)).toEqual([])
  mock.state.failures['documents.convert'] = failure('service/insufficient-balance')
  await dialog.getByRole('button', { name: 'Convert for a fee' }).click()
  const failed = page.getByRole('list', { name: 'File errors' })
  await expect(failed).toContainText('heron.pdf')
  await expect(page.getByRole('list', { name: 'Attached files' })).toContainText('PDF, 1 page')
  await failed.getByRole('button', { name: 'Dismiss the error for heron.pdf' }).click()
  await expect(failed).toHaveCount(0)
  await expect(page.getByRole('list', { name: 'Attached files' })).toContainText('PDF, 1 page')
})
