import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test, type Page } from '@playwright/test'
import { startSotto, type SottoProcess } from '../process/sotto-process.ts'
import { axeFaults } from './axe.ts'
import { lockedPdf } from './files/encrypted-pdf.ts'
import { showRealWindow } from './show-real-window.ts'
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

async function choose(
  page: Page,
  ...files: { name: string; mimeType: string; buffer: Buffer }[]
): Promise<void> {
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
  await expect(chip(page, 'cjk-predefined.pdf')).toContainText('PDF, 1 page')
  expect(await textOf(page, 'cp1251.c')).toContain('Привет, мир')
  expect(await textOf(page, 'report.docx')).toBe('Hello docx')
  // The PDF's font names a character map, which is one of the window's own files.
  expect(await textOf(page, 'cjk-predefined.pdf')).toContain('日本語のテキスト')

  await page.getByRole('button', { name: 'Change encoding of cp1251.c' }).click()
  const dialog = page.getByRole('dialog', { name: 'Encoding of cp1251.c' })
  await expect(dialog.getByLabel('Preview')).toContainText('Привет')
  await dialog.getByLabel('Encoding', { exact: true }).selectOption({ label: 'KOI8-U (KOI8-R)' })
  await expect(dialog.getByLabel('Preview')).toContainText('оПХБЕР')
  expect(await axeFaults(page)).toEqual([])
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
  expect(await axeFaults(page)).toEqual([])
})

/** A small PNG whose header states this size. */
function pngOf(width: number, height: number): Buffer {
  const bytes = Buffer.from(fileCase('pic.png').buffer)
  bytes.writeUInt32BE(width, 16)
  bytes.writeUInt32BE(height, 20)
  return bytes
}

test('an image with too many pixels is refused before the browser decodes anything', async ({ page }) => {
  await page.addInitScript(() => {
    Object.assign(window, { decoded: 0 })
    const count = () => Object.assign(window, { decoded: Number(Reflect.get(window, 'decoded')) + 1 })
    HTMLImageElement.prototype.decode = () => {
      count()
      return Promise.reject(new Error('decoded'))
    }
    const { Worker: Original } = window
    window.Worker = class extends Original {
      constructor(...parameters: ConstructorParameters<typeof Original>) {
        super(...parameters)
        if (String(parameters[0]).includes('image-worker')) count()
      }
    }
  })
  await showRealWindow(page, sotto)
  const bomb = pngOf(60_000, 60_000)
  const drawing = `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><image href="data:image/png;base64,${bomb.toString('base64')}"/></svg>`
  const box = (name: string, content: Buffer) => {
    const head = Buffer.alloc(8)
    head.writeUInt32BE(content.length + 8)
    head.write(name, 4, 'latin1')
    return Buffer.concat([head, content])
  }
  const sizes = Buffer.alloc(12)
  sizes.writeUInt32BE(40_000, 4)
  sizes.writeUInt32BE(40_000, 8)
  const meta = box('meta', Buffer.concat([Buffer.alloc(4), box('iprp', box('ipco', box('ispe', sizes)))]))
  await choose(
    page,
    { name: 'bomb.png', mimeType: 'image/png', buffer: bomb },
    { name: 'bomb.svg', mimeType: 'image/svg+xml', buffer: Buffer.from(drawing) },
    {
      name: 'bomb.avif',
      mimeType: 'image/avif',
      buffer: Buffer.concat([box('ftyp', Buffer.from('avif\0\0\0\0avifmif1', 'latin1')), meta]),
    },
  )
  await expect(page.getByRole('list', { name: 'Not attached' }).getByRole('listitem')).toHaveText([
    /bomb\.png.*too many pixels/,
    /bomb\.svg.*too many pixels/,
    /bomb\.avif.*too many pixels/,
  ])
  expect(await page.evaluate('window.decoded')).toBe(0)
})

test('an encrypted PDF asks for its password until the right one opens it', async ({ page }) => {
  await showRealWindow(page, sotto)
  const passwords = { user: 'heron at dawn', owner: 'owner of it' }
  const locked = (name: string, kind: 'rc4' | 'aes-256') => ({
    name,
    mimeType: 'application/pdf',
    buffer: lockedPdf(`the line of ${name}`, kind, passwords),
  })
  await choose(page, locked('old.pdf', 'rc4'), locked('new.pdf', 'aes-256'))
  const failures = page.getByRole('list', { name: 'Not attached' }).getByRole('listitem')
  await expect(failures).toHaveText([/old\.pdf.*password-protected/, /new\.pdf.*password-protected/])
  const enter = async (name: string, password: string) => {
    await failures.filter({ hasText: name }).getByRole('button', { name: 'Enter password…' }).click()
    const dialog = page.getByRole('dialog', { name: `Password for ${name}` })
    await dialog.getByLabel('Password').fill(password)
    await dialog.getByRole('button', { name: 'Open file' }).click()
  }
  await enter('new.pdf', 'wrong')
  await expect(failures.filter({ hasText: 'new.pdf' })).toContainText('This password doesn’t open the PDF.')
  expect(await axeFaults(page)).toEqual([])
  await enter('new.pdf', passwords.user)
  await enter('old.pdf', passwords.owner)
  await expect(failures).toHaveCount(0)
  await expect(chip(page, 'new.pdf')).toContainText('PDF, 1 page')
  expect(await textOf(page, 'new.pdf')).toContain('the line of new.pdf')
  expect(await textOf(page, 'old.pdf')).toContain('the line of old.pdf')
})
