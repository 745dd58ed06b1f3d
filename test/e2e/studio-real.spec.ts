import { readFile } from 'node:fs/promises'
import { crc32 } from 'node:zlib'
import { expect, test, type Page } from '@playwright/test'
import type { Job } from '../../src/shared/job.ts'
import { picture } from './mock-picture.ts'
import { startWorldWindow } from './world-window.ts'

const cards = (page: Page) => page.getByRole('region', { name: 'Images' }).getByRole('article')
const natural = (page: Page) =>
  cards(page)
    .first()
    .locator('img')
    .first()
    .evaluate((element) => (element instanceof HTMLImageElement ? element.naturalWidth : 0))

/** Submits the form, and pays the job. */
async function make(page: Page, pay: 'balance' | 'single', send: string): Promise<void> {
  const before = await cards(page).count()
  await page
    .getByRole('button', {
      // The button names the price once it is known.
      name: pay === 'balance' ? new RegExp(`^${send}(?: · .*)?$`) : /^Get price in sats$/,
    })
    .click()
  await expect(cards(page)).toHaveCount(before + 1)
  if (pay === 'single')
    await cards(page)
      .first()
      .getByRole('button', { name: /^Pay [\d,.]+ sats?$/ })
      .click()
  await expect(cards(page).first()).toContainText('Done', { timeout: 60_000 })
}

/**
 * The window, the core and the sandbox's service: images in both revisions, paid from a balance or per
 * request.
 */
for (const revision of ['A', 'B'] as const)
  for (const pay of ['balance', 'single'] as const) {
    test(`images in Revision ${revision}, ${pay === 'balance' ? 'from the balance' : 'each by itself over Lightning'}`, async ({
      page,
    }) => {
      await using window = await startWorldWindow(revision, pay)
      await window.open(page, '#/studio')
      await page.getByLabel('Model', { exact: true }).selectOption('sandbox/affresco-image')
      await page.getByRole('textbox', { name: 'Prompt' }).fill('A quiet room by the sea')
      await page.getByLabel('Quality').selectOption('low')
      if (revision === 'B') await page.getByLabel('Resolution').selectOption('2K')
      else await expect(page.getByLabel('Resolution')).toHaveCount(0)
      await expect(page.getByTestId('price')).toContainText(/(?:Costs|Estimated cost:) \$0\.0/)
      await make(page, pay, 'Generate')
      await expect.poll(() => natural(page)).toBeGreaterThan(100)
      await expect(cards(page).first().getByTestId('job-cost')).toContainText(
        pay === 'balance' ? 'Cost $0.0' : 'sats',
      )

      // Upscales the earlier result in another job.
      await page.getByRole('radio', { name: 'Upscale' }).check()
      if (revision === 'A') await page.getByRole('textbox', { name: 'Describe the change' }).fill('Larger')
      await page.getByRole('button', { name: 'Choose generated image…' }).click()
      await page
        .getByRole('dialog')
        .getByRole('button', { name: /^Use “A quiet room/ })
        .click()
      const before = await natural(page)
      await make(page, pay, 'Upscale')
      await expect.poll(() => natural(page)).toBe(before * 2)

      if (revision === 'B') {
        // Edits a chosen file with the edits form.
        await page.getByRole('radio', { name: 'Edit image' }).check()
        await page.getByRole('button', { name: 'Remove' }).click()
        await page
          .getByTestId('file-input')
          .setInputFiles({ name: 'own.png', mimeType: 'image/png', buffer: picture(4) })
        await page.getByRole('textbox', { name: 'Describe the change' }).fill('Make it evening')
        await page.getByText('Seed, negative prompt, and more').click()
        await page.getByLabel('Upload with the edits form').check()
        await make(page, pay, 'Edit image')
        expect(window.world.sandbox.received().some(({ path }) => path.endsWith('/images/edits'))).toBe(true)
      }

      // All results are in the library, and are exported as a single folder.
      const cardCount = await cards(page).count()
      await page.getByRole('tab', { name: 'Library' }).click()
      await expect(page.getByRole('gridcell')).toHaveCount(cardCount)
      await expect(page.getByTestId('usage')).toContainText('Image')
      const download = page.waitForEvent('download')
      await page.getByRole('button', { name: 'Save shown as ZIP…' }).click()
      const zip = await readFile(await (await download).path())
      expect(zip.subarray(0, 4).toString('latin1')).toBe('PK\u0003\u0004')
      expect(zip.includes('manifest.json')).toBe(true)
    })
  }

test('camera metadata in an image stays on this computer unless it’s included by choice', async ({
  page,
}) => {
  await using window = await startWorldWindow('B', 'balance')
  await window.open(page, '#/studio')
  await page.getByRole('radio', { name: 'Upscale' }).check()
  for (const keep of [false, true]) {
    const place = page.getByTestId('file-input')
    await place.setInputFiles({
      name: 'holiday.png',
      mimeType: 'image/png',
      buffer: withText(picture(9), 'Somewhere at home'),
    })
    await expect(page.getByTestId('file-place')).toContainText('holiday.png')
    await page.getByLabel('Include camera metadata').setChecked(keep)
    await expect(page.getByTestId('price')).toContainText('Costs')
    await make(page, 'balance', 'Upscale')
    // The job's own file is sent, byte for byte.
    const {
      jobs: [job],
    } = (await window.world.call('studio/list', { limit: 1 })) as { jobs: Job[] }
    const file = job?.files.find(({ role }) => role === 'given')
    const { path } = (await window.world.call('studio/link', { jobId: job?.id, index: file?.index })) as {
      path: string
    }
    const response = await window.world.core.files(new Request(`http://127.0.0.1${path}`))
    const bytes = Buffer.from(await response.arrayBuffer())
    expect(bytes.subarray(1, 4).toString('latin1')).toBe('PNG')
    expect(bytes.includes('Somewhere at home')).toBe(keep)
  }
})

/** Adds a text chunk before the end, like programs that record time and place. */
function withText(png: Buffer, text: string): Buffer {
  const body = Buffer.concat([Buffer.from('tEXt'), Buffer.from(`Location\0${text}`, 'latin1')])
  const chunk = Buffer.alloc(8 + body.length)
  chunk.writeUInt32BE(body.length - 4, 0)
  body.copy(chunk, 4)
  chunk.writeUInt32BE(crc32(body), 4 + body.length)
  return Buffer.concat([png.subarray(0, -12), chunk, png.subarray(-12)])
}
