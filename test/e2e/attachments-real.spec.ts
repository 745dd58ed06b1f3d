import { readFileSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test, type Page } from '@playwright/test'
import { formsOf } from '../canary.ts'
import { startSotto, type SottoProcess } from '../process/sotto-process.ts'
import { showRealWindow } from './show-real-window.ts'
import { axeFaults } from './axe.ts'
import { encryptedPdf, pdfOf } from './files/pdf.ts'
import { addToMessage } from './open-window.ts'

/**
 * The whole product on the sandbox: files that a person attaches, and drafts that survive a reload and a
 * restart.
 */
let folder: string
let sotto: SottoProcess
const CANARY = 'the otter of Quellgasse 11 sleeps at noon'

test.beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sotto-files-'))
  sotto = await startSotto(folder)
})
test.afterAll(async () => {
  await sotto.stop('SIGTERM')
  await rm(folder, { recursive: true, force: true })
})

const picture = (name: string) =>
  readFileSync(join(import.meta.dirname, '../core/conversations/image-metadata/pictures', name))
const text = (name: string, content: string | Buffer) => ({
  name,
  mimeType: 'text/plain',
  buffer: Buffer.from(content),
})
const composerOf = (page: Page) => page.getByRole('textbox', { name: 'Message', exact: true })
const attached = (page: Page) => page.locator('form').getByRole('list', { name: 'Attached files' })
const answers = (page: Page) => page.getByRole('article', { name: /^Reply from/ })

async function choose(
  page: Page,
  ...files: { name: string; mimeType: string; buffer: Buffer }[]
): Promise<void> {
  const chooser = page.waitForEvent('filechooser')
  await addToMessage(page, 'Attach files…')
  await (await chooser).setFiles(files)
}

/** Files in the form in which the browser reports dragged or pasted files. */
async function createDataTransfer(
  page: Page,
  files: readonly { name: string; type: string; content: Buffer }[],
) {
  return page.evaluateHandle(
    (sources) => {
      const data = new DataTransfer()
      for (const { name, type, bytes } of sources)
        data.items.add(new File([Uint8Array.from(bytes)], name, { type }))
      return data
    },
    files.map(({ name, type, content }) => ({ name, type, bytes: [...content] })),
  )
}

async function diskHolds(phrase: string): Promise<string[]> {
  const entries = (await readdir(folder, { recursive: true, withFileTypes: true })).filter((entry) =>
    entry.isFile(),
  )
  return formsOf(
    phrase,
    Buffer.concat(await Promise.all(entries.map((entry) => readFile(join(entry.parentPath, entry.name))))),
  )
}

async function useModel(page: Page, name: RegExp): Promise<void> {
  await page.getByRole('button', { name: /^Models?:/ }).click()
  await page.getByRole('option', { name }).first().click()
}

test('text and an image are attached, previewed, sent sealed and shown again; none of it is readable on the disk', async ({
  page,
}) => {
  await showRealWindow(page, sotto)
  await choose(page, text('notes.md', `${CANARY}\n`.repeat(30)), {
    name: 'photo.png',
    mimeType: 'image/png',
    buffer: picture('picture.png'),
  })
  const chips = attached(page).getByRole('listitem')
  await expect(chips).toHaveText([/notes\.md.*Text, about 283 tokens/, /photo\.png.*Image, 24 × 16/])
  await expect(attached(page).locator('img')).toBeVisible()
  await chips
    .nth(0)
    .getByRole('button', { name: /^notes\.md/ })
    .click()
  await expect(page.getByRole('dialog', { name: 'notes.md' }).getByLabel('File text')).toContainText(CANARY)
  expect(await axeFaults(page)).toEqual([])
  await page.keyboard.press('Escape')

  // The initial model accepts no images. The note states this, and one click switches to a model that does.
  await composerOf(page).fill('What is on it?')
  const note = page.getByTestId('images-note')
  await expect(note).toContainText('doesn’t accept images')
  await expect(page.getByRole('button', { name: 'Send' })).toBeDisabled()
  await note.getByRole('button', { name: /^Use / }).first().click()
  await expect(note).toHaveCount(0)
  await expect(composerOf(page)).toBeFocused()
  expect(await axeFaults(page)).toEqual([])
  await page.keyboard.press('Enter')

  await expect(answers(page).getByRole('button', { name: /Private.*Receipt/ })).toBeVisible({
    timeout: 30_000,
  })
  await expect(answers(page)).toContainText('24 × 16 pixels')
  await expect(attached(page)).toHaveCount(0)
  const sent = page.getByRole('article', { name: 'You' }).getByRole('list', { name: 'Attached files' })
  await expect(sent.getByRole('listitem')).toHaveCount(2)
  await sent.getByRole('button', { name: /^photo\.png/ }).click()
  await expect(page.getByRole('dialog').getByRole('img', { name: 'photo.png' })).toHaveJSProperty(
    'naturalWidth',
    24,
  )
  await page.keyboard.press('Escape')
  expect(await diskHolds(CANARY)).toEqual([])

  // An edited question keeps its files.
  await page.getByRole('button', { name: 'Edit message' }).click()
  await page.getByRole('textbox', { name: 'Edit message' }).fill('And what is not?')
  await page.keyboard.press('Enter')
  await expect(page.getByText('And what is not?')).toBeVisible()
  await expect(sent.getByRole('listitem')).toHaveCount(2)
  await expect(answers(page)).toContainText('24 × 16 pixels', { timeout: 30_000 })
})

test('files can be dropped on the chat, with a visible drop area, and pasted', async ({ page }) => {
  await showRealWindow(page, sotto)
  const view = page.getByRole('main').locator('> *').first()
  const dragged = await createDataTransfer(page, [
    { name: 'dropped.txt', type: 'text/plain', content: Buffer.from('dropped words') },
  ])
  await view.dispatchEvent('dragenter', { dataTransfer: dragged })
  await expect(page.getByTestId('drop-target')).toHaveText('Drop files or folders to attach them')
  await view.dispatchEvent('dragleave', { dataTransfer: dragged })
  await expect(page.getByTestId('drop-target')).toHaveCount(0)
  await view.dispatchEvent('dragenter', { dataTransfer: dragged })
  await view.dispatchEvent('drop', { dataTransfer: dragged })
  await expect(page.getByTestId('drop-target')).toHaveCount(0)
  await expect(attached(page)).toContainText('dropped.txt')

  const pasted = await createDataTransfer(page, [
    { name: 'image.png', type: 'image/png', content: picture('picture.png') },
  ])
  await composerOf(page).evaluate(
    (area, data) =>
      area.dispatchEvent(
        new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }),
      ),
    pasted,
  )
  await expect(attached(page)).toContainText('Pasted image.png')
  // Files can be removed with only the keyboard.
  await attached(page).getByRole('button', { name: 'Remove dropped.txt' }).focus()
  await page.keyboard.press('Enter')
  await expect(attached(page)).not.toContainText('dropped.txt')
  await expect(composerOf(page)).toBeFocused()
  await attached(page).getByRole('button', { name: 'Remove Pasted image.png' }).click()
  await expect(attached(page)).toHaveCount(0)
})

test('a PDF is read on this computer, page by page; an unreadable file shows the reason', async ({
  page,
}) => {
  const elsewhere: string[] = []
  page.on('request', (request) => {
    if (!request.url().startsWith(new URL(sotto.ready.ui).origin) && !request.url().startsWith('blob:'))
      elsewhere.push(request.url())
  })
  await showRealWindow(page, sotto)
  await choose(page, {
    name: 'report.pdf',
    mimeType: 'application/pdf',
    buffer: pdfOf(['The first (page) speaks.', '', 'The last one ends.']),
  })
  await expect(attached(page)).toContainText(/PDF, 3 pages, about \d+ tokens/)
  await attached(page)
    .getByRole('button', { name: /^report\.pdf/ })
    .click()
  await expect(page.getByLabel('File text')).toHaveText(
    '[Page 1]\nThe first (page) speaks.\n\n[Page 2 has no text.]\n\n[Page 3]\nThe last one ends.',
  )
  await page.keyboard.press('Escape')

  const named = (name: string, buffer: Buffer) => ({ name, mimeType: 'application/pdf', buffer })
  await choose(
    page,
    named('scan.pdf', pdfOf(['', ''])),
    named('locked.pdf', encryptedPdf()),
    named('broken.pdf', Buffer.from('%PDF-1.7\nnothing of it')),
    { name: 'tool.exe', mimeType: '', buffer: Buffer.from('MZ\0\0\0', 'latin1') },
    {
      name: 'photo.heic',
      mimeType: 'image/heic',
      buffer: Buffer.from('\0\0\0\x18ftypheic\0\0\0\0', 'latin1'),
    },
  )
  const failures = page.getByRole('list', { name: 'Not attached' }).getByRole('listitem')
  await expect(failures).toHaveText([
    /scan\.pdf.*contains no text.*images/,
    /locked\.pdf.*password-protected/,
    /broken\.pdf.*damaged/,
    /tool\.exe.*can’t read this type of file/,
    /photo\.heic.*Export HEIC photos as JPEG/,
  ])
  expect(await axeFaults(page)).toEqual([])
  await expect(attached(page).getByRole('listitem')).toHaveCount(1)
  expect(elsewhere).toEqual([])
  for (const name of ['scan.pdf', 'locked.pdf', 'broken.pdf', 'tool.exe', 'photo.heic'])
    await page.getByRole('button', { name: `Dismiss the error for ${name}` }).click()
  await attached(page).getByRole('button', { name: 'Remove report.pdf' }).click()
  await expect(attached(page)).toHaveCount(0)
})

test('files beyond the limit of a message are listed separately', async ({ page }) => {
  await showRealWindow(page, sotto)
  await choose(
    page,
    ...Array.from({ length: 22 }, (_, at) => text(`${String(at)}.txt`, `number ${String(at)}`)),
  )
  await expect(attached(page).getByRole('listitem')).toHaveCount(20)
  await expect(page.getByRole('list', { name: 'Not attached' }).getByRole('listitem')).toHaveText([
    /20\.txt.*up to 20 files/,
    /21\.txt.*up to 20 files/,
  ])
  await composerOf(page).fill('Sum them up')
  await expect(attached(page)).toHaveAttribute('aria-busy', 'false')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('article', { name: 'You' }).getByRole('listitem')).toHaveCount(20)
})

test('a draft with files survives a reload and a killed process, and is not in plaintext on the disk', async ({
  page,
}) => {
  // Starts three windows and two processes.
  test.slow()
  await showRealWindow(page, sotto)
  await page.getByRole('button', { name: 'New chat' }).click()
  const sealedFiles = async () =>
    (await readdir(folder, { recursive: true })).filter(
      (name) => name.includes('attachments') && name.endsWith('.sealed'),
    ).length
  const before = await sealedFiles()
  await composerOf(page).fill(CANARY)
  await choose(page, text('half.txt', `${CANARY}, or so`))
  await expect(attached(page)).toContainText('half.txt')
  const readDrafts = async () => JSON.stringify(await sotto.call('drafts/all'))
  // The first call waits for its own session.
  await readDrafts()
  await expect.poll(readDrafts).toContain(CANARY)
  await expect.poll(readDrafts).toContain('half.txt')
  await page.reload()
  await expect(composerOf(page)).toHaveValue(CANARY)
  await expect(attached(page)).toContainText('half.txt')

  await sotto.stop('SIGKILL')
  expect(await diskHolds(CANARY)).toEqual([])
  sotto = await startSotto(folder)
  await showRealWindow(page, sotto)
  await expect(composerOf(page)).toHaveValue(CANARY)
  await attached(page)
    .getByRole('button', { name: /^half\.txt/ })
    .click()
  await expect(page.getByLabel('File text')).toHaveText(`${CANARY}, or so`)
  await page.keyboard.press('Escape')

  // A temporary chat has no saved draft.
  await readDrafts()
  await page.getByRole('switch', { name: 'Temporary chat' }).click()
  await expect.poll(readDrafts).toBe('[]')
  await page.keyboard.press('Escape')
  await composerOf(page).focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('article', { name: 'You' })).toContainText('half.txt')
  await expect(answers(page).getByRole('button', { name: /Private.*Receipt/ })).toBeVisible({
    timeout: 30_000,
  })
  expect(await sealedFiles()).toBe(before)
})

test('the meter shows how full the context is, warns, and shows when the chat is too long', async ({
  page,
}) => {
  await showRealWindow(page, sotto)
  await page.getByRole('button', { name: 'New chat' }).click()
  await useModel(page, /Lento/)
  const gauge = page.getByRole('meter', { name: 'Context' })
  const price = page.locator('#who-reads')
  // An empty draft has no price.
  await expect(price).not.toContainText('Estimate')
  await composerOf(page).fill('one')
  await expect(price).toContainText('Estimate')
  await expect(gauge).toHaveCount(0)
  const wordCount = 20_000
  await composerOf(page).fill('one '.repeat(wordCount).trimEnd())
  await expect(gauge).toHaveAttribute('aria-valuetext', /About [\d.]+K of [\d.]+K context tokens/)
  // A token per word, and four of the template.
  await expect(gauge).toHaveAttribute('aria-valuenow', String(wordCount + 4))
  const size = Number(await gauge.getAttribute('aria-valuemax'))
  await composerOf(page).fill('')
  await choose(page, text('long.txt', 'one '.repeat(Math.round(size * 0.85))))
  await expect(page.getByText('nearly fills the model’s context')).toBeVisible()
  await choose(page, text('longer.txt', 'one '.repeat(Math.round(size * 0.3))))
  await expect(page.getByTestId('context-overflow')).toContainText('This chat is too long for')
  expect(await axeFaults(page)).toEqual([])
  await page.setViewportSize({ width: 480, height: 800 })
  expect(
    await page.evaluate('document.documentElement.scrollWidth <= document.documentElement.clientWidth'),
  ).toBe(true)
})
