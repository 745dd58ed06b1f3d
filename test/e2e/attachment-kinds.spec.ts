import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test, type Page } from '@playwright/test'
import { startSotto, type SottoProcess } from '../process/sotto-process.ts'
import { seriousFaults } from './axe.ts'
import { showRealWindow } from './open-real-window.ts'
import { addToMessage } from './open-window.ts'

/** The built window with files as people have them: each is read in a thread, under the policy of the page. */
let folder: string
let sotto: SottoProcess

test.beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sotto-kinds-'))
  sotto = await startSotto(folder)
})
test.afterAll(async () => {
  await sotto.stop('SIGTERM')
  await rm(folder, { recursive: true, force: true })
})

const fileCase = (name: string, mimeType = '') => ({
  name,
  mimeType,
  buffer: readFileSync(join(import.meta.dirname, '../renderer/attachments/cases', name)),
})
const chip = (page: Page, name: string) =>
  page
    .locator('form')
    .getByRole('list', { name: 'Attached files' })
    .getByRole('listitem')
    .filter({ hasText: name })

async function choose(page: Page, ...files: ReturnType<typeof fileCase>[]): Promise<void> {
  const chooser = page.waitForEvent('filechooser')
  await addToMessage(page, 'Attach files…')
  await (await chooser).setFiles(files)
}

async function textOf(page: Page, name: string): Promise<string> {
  await chip(page, name).getByRole('button', { name }).first().click()
  const text = await page.getByRole('dialog', { name }).getByLabel('File text').innerText()
  await page.keyboard.press('Escape')
  return text
}

test('documents and texts in any encoding are read, and an encoding can be changed with a preview', async ({
  page,
}) => {
  await showRealWindow(page, sotto)
  await choose(
    page,
    fileCase('cp1251.c'),
    fileCase('report.docx'),
    fileCase('mixed-scan.pdf', 'application/pdf'),
    fileCase('cjk-predefined.pdf', 'application/pdf'),
  )
  await expect(chip(page, 'cp1251.c')).toContainText('Windows-1251')
  await expect(chip(page, 'report.docx')).toContainText('Text, about')
  await expect(chip(page, 'mixed-scan.pdf')).toContainText('No text found on page 2')
  expect(await textOf(page, 'cp1251.c')).toContain('Привет, мир')
  expect(await textOf(page, 'report.docx')).toBe('Hello docx')
  // The PDF's font names a character map, which is one of the window's own files.
  expect(await textOf(page, 'cjk-predefined.pdf')).toContain('日本語のテキスト')

  await page.getByRole('button', { name: 'Change encoding of cp1251.c' }).click()
  const dialog = page.getByRole('dialog', { name: 'Encoding of cp1251.c' })
  await expect(dialog.getByLabel('Preview')).toContainText('Привет')
  await dialog.getByLabel('Encoding', { exact: true }).selectOption({ label: 'KOI8-U (KOI8-R)' })
  await expect(dialog.getByLabel('Preview')).toContainText('оПХБЕР')
  expect(await seriousFaults(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Use encoding' }).click()
  await expect(chip(page, 'cp1251.c')).toContainText('Encoding: KOI8-U')
  expect(await textOf(page, 'cp1251.c')).toContain('оПХБЕР')
})

test('images are turned, converted or drawn, and others are refused by their name', async ({ page }) => {
  await showRealWindow(page, sotto)
  await choose(
    page,
    fileCase('rotated.jpg', 'image/jpeg'),
    fileCase('pic.bmp', 'image/bmp'),
    fileCase('pic.svg', 'image/svg+xml'),
    fileCase('png-as.jpg', 'image/jpeg'),
    fileCase('anim.gif', 'image/gif'),
    fileCase('photo-as.jpg', 'image/jpeg'),
    fileCase('pic.tiff', 'image/tiff'),
    fileCase('doc.doc', 'application/msword'),
  )
  await expect(chip(page, 'rotated.jpg')).toContainText('Image, 20 × 40')
  await expect(chip(page, 'pic.bmp')).toContainText('Image, 40 × 20')
  await expect(chip(page, 'pic.svg')).toContainText('Image, 1024 × 1024')
  await expect(chip(page, 'png-as.jpg')).toContainText('Image, 40 × 20')
  await expect(chip(page, 'anim.gif')).toContainText('Animated')
  await expect(page.getByRole('list', { name: 'Not attached' }).getByRole('listitem')).toHaveText([
    /photo-as\.jpg.*This image is in HEIC format/,
    /pic\.tiff.*This image is in TIFF format/,
    /doc\.doc.*This is a Word 97–2003 document/,
  ])
  expect(await seriousFaults(page)).toEqual([])
})
