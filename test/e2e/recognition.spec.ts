import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test, type Page } from '@playwright/test'
import { startSotto, type SottoProcess } from '../process/sotto-process.ts'
import { axeFaults } from './axe.ts'
import { pictureOf, scannedPdf } from './files/scanned-pdf.ts'
import { addToMessage } from './open-window.ts'
import { showRealWindow } from './show-real-window.ts'

/** The built window recognizes text in a thread of its own, under the policy of the real server. */
let folder: string
let sotto: SottoProcess

test.beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sotto-recognition-'))
  sotto = await startSotto(folder)
})
test.afterAll(async () => {
  await sotto.stop('SIGTERM')
  await rm(folder, { recursive: true, force: true })
})

const chip = (page: Page, name: string) =>
  page.getByRole('list', { name: 'Attached files' }).getByRole('listitem').filter({ hasText: name })

async function textOf(page: Page, name: string): Promise<string> {
  await chip(page, name).getByRole('button', { name }).first().click()
  const text = await page.getByRole('dialog', { name }).getByLabel('File text').innerText()
  await page.keyboard.press('Escape')
  return text
}

test('text in scanned pages and in a picture is recognized on this computer, marked, and can be stopped', async ({
  page,
}) => {
  const hosts = new Set<string>()
  const faults: string[] = []
  page.on('request', (request) => hosts.add(new URL(request.url()).host))
  page.on('pageerror', (error) => faults.push(error.message))
  await showRealWindow(page, sotto)
  const lines = ['Invoice 2041 of the heron', 'Amount due: 318 euro']
  const scan = await pictureOf(page, lines, 'image/jpeg')
  const chooser = page.waitForEvent('filechooser')
  await addToMessage(page, 'Attach files…')
  await (
    await chooser
  ).setFiles([
    { name: 'scan.pdf', mimeType: 'application/pdf', buffer: scannedPdf(scan) },
    { name: 'photo.png', mimeType: 'image/png', buffer: await pictureOf(page, lines, 'image/png') },
  ])
  const ask = page.getByRole('dialog', { name: /^Recognize text in/ })
  const recognize = ask.getByRole('button', { name: 'Recognize text' })
  const failed = page.getByRole('list', { name: 'Not attached' }).getByRole('listitem')

  // The thread waits for its language, so that it can be stopped for certain.
  const { promise: released, resolve: release } = Promise.withResolvers<undefined>()
  await page.route('**/*.traineddata*', async (route) => {
    await released
    await route.continue()
  })
  await chip(page, 'photo.png').getByRole('button', { name: 'Recognize text in photo.png…' }).click()
  await expect(recognize).toBeVisible()
  expect(await axeFaults(page)).toEqual([])
  await recognize.click()
  await expect(chip(page, 'photo.png')).toContainText('Recognizing text, 0%')
  await chip(page, 'photo.png').getByRole('button', { name: 'Stop recognizing text in photo.png' }).click()
  await expect(chip(page, 'photo.png')).toContainText('Image, 900 × 200')
  release(undefined)

  await failed.getByRole('button', { name: 'Recognize text…' }).click()
  await ask.locator('input[type=file]').setInputFiles({
    name: 'nothing.traineddata',
    mimeType: '',
    buffer: Buffer.alloc(4_000, 7),
  })
  await recognize.click()
  await expect(failed).toContainText('This isn’t a language file')
  await failed.getByRole('button', { name: 'Recognize text…' }).click()
  await recognize.click()
  await expect(chip(page, 'scan.pdf')).toContainText('Text of page 1 was recognized and may contain errors.')
  await expect(failed).toHaveCount(0)
  expect(await textOf(page, 'scan.pdf')).toBe(
    `[Page 1, recognized from its image. It may contain errors.]\n${lines.join('\n')}`,
  )

  await chip(page, 'photo.png').getByRole('button', { name: 'Recognize text in photo.png…' }).click()
  await recognize.click()
  await expect(chip(page, 'photo.png')).toContainText('Recognized text. It may contain errors.')
  expect(await textOf(page, 'photo.png')).toContain(lines.join('\n'))
  expect([...hosts]).toHaveLength(1)
  expect(faults).toEqual([])
})

// The two files show the lines below. OpenJPEG wrote one; jbig2dec decodes the other to the same picture, pixel by pixel.
for (const [format, file] of [
  ['jbig2', 'scan.jbig2'],
  ['jpeg2000', 'scan.jp2'],
] as const)
  test(`text in a scan in the format ${format} is recognized`, async ({ page }) => {
    await showRealWindow(page, sotto)
    const picture = await readFile(join(import.meta.dirname, 'files', file))
    const chooser = page.waitForEvent('filechooser')
    await addToMessage(page, 'Attach files…')
    await (
      await chooser
    ).setFiles({ name: `${format}.pdf`, mimeType: 'application/pdf', buffer: scannedPdf(picture, format) })
    // The draft still has the files of earlier tests.
    const failed = page.getByRole('list', { name: 'Not attached' }).getByRole('listitem')
    await failed.getByRole('button', { name: 'Recognize text…' }).click()
    await page
      .getByRole('dialog', { name: /^Recognize text in/ })
      .getByRole('button', { name: 'Recognize text' })
      .click()
    await expect(chip(page, `${format}.pdf`)).toContainText('Text of page 1 was recognized')
    expect(await textOf(page, `${format}.pdf`)).toContain('Invoice 2041 of the heron\nAmount due: 318 euro')
  })
