import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { dropPathsOn } from './files/drop.ts'
import { lockedPdf } from './files/encrypted-pdf.ts'
import { addToMessage } from './open-window.ts'
import { expect, test } from './window-test.ts'

/** React reports an event of a dialog also to the parents of the component that opened it. */

async function choose(page: Page, name: string, mimeType: string, buffer: Buffer): Promise<void> {
  const chooser = page.waitForEvent('filechooser')
  await addToMessage(page, 'Attach files…')
  await (await chooser).setFiles({ name, mimeType, buffer })
}

test('a language file that is dropped on its dialog isn’t attached to the message', async ({
  window: { open, page, mock },
}) => {
  const folder = await mkdtemp(join(tmpdir(), 'sotto-drop-'))
  try {
    const language = join(folder, 'nothing.traineddata')
    await writeFile(language, Buffer.alloc(4_000, 7))
    await open()
    await choose(
      page,
      'photo.png',
      'image/png',
      await readFile(join(import.meta.dirname, '../core/conversations/image-metadata/pictures/picture.png')),
    )
    await page.getByRole('button', { name: 'Recognize text in photo.png…' }).click()
    const dialog = page.getByRole('dialog', { name: /^Recognize text in/ })
    await dropPathsOn(dialog.getByTestId('file-place'), language)
    await expect(dialog.getByLabel('Language of the text')).toHaveValue('nothing.traineddata')
    await expect(page.getByTestId('drop-target')).toHaveCount(0)
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await expect(page.getByRole('list', { name: 'Attached files' }).getByRole('listitem')).toHaveCount(1)
    await expect(page.getByRole('list', { name: 'Not attached' })).toHaveCount(0)
    expect(mock.calls.filter(({ path }) => path === 'attachments.add')).toHaveLength(1)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})

test('entering the password of a file doesn’t send the message', async ({
  window: { open, page, mock, composer },
}) => {
  await open()
  const passwords = { user: 'heron at dawn', owner: 'owner of it' }
  await choose(page, 'locked.pdf', 'application/pdf', lockedPdf('The tide is high.', 'aes-256', passwords))
  await composer.fill('What does it say?')
  await page.getByRole('button', { name: 'Enter password…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Password for locked.pdf' })
  await dialog.getByLabel('Password').fill(passwords.user)
  await dialog.getByRole('button', { name: 'Open file' }).click()
  await expect(page.getByRole('list', { name: 'Attached files' }).getByRole('listitem')).toHaveCount(1)
  expect(mock.calls.filter(({ path }) => path === 'chat.send')).toEqual([])
  await expect(composer).toHaveValue('What does it say?')
})
