import { readFile } from 'node:fs/promises'
import { failure } from './mock-server.ts'
import { field, fill, found } from './screens/library-screens.ts'
import { expect, test, type Window } from './window-test.ts'

test('finds text as it’s typed, marks it, and opens a chat by keyboard only', async ({
  window: { open, page, mock, composer },
}) => {
  fill(mock)
  await open()
  await expect(composer).toBeFocused()
  await page.keyboard.press('ControlOrMeta+Shift+F')
  await expect(field(page)).toBeFocused()
  await page.keyboard.type('copper')
  await expect(found(page)).toHaveCount(2)
  await expect(page.getByRole('status').filter({ hasText: '2 chats' })).toBeVisible()
  await expect(found(page).first().locator('mark')).toHaveText('copper')
  await expect(found(page).first()).toContainText('A <b>copper</b> kettle is')
  await expect(found(page).first()).toHaveAttribute('aria-selected', 'true')
  await expect(page.getByRole('group', { name: 'Chats' })).toBeHidden()
  await page.keyboard.press('ArrowDown')
  await expect(found(page).nth(1)).toHaveAttribute('aria-selected', 'true')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/#\/chat\/roof$/)
  await expect(page.getByRole('heading', { name: 'The roof' })).toBeVisible()
  await field(page).focus()
  await page.keyboard.press('Escape')
  await expect(field(page)).toHaveValue('')
  await expect(page.getByRole('group', { name: 'Chats' })).toBeVisible()
})

test('shows that nothing was found, and a failure', async ({ window: { open, page, mock } }) => {
  fill(mock)
  await open()
  await field(page).fill('zebra')
  await expect(page.getByText('No matches')).toBeVisible()
  await expect(found(page)).toHaveCount(0)
  mock.state.failures['library.search'] = failure('store/damaged')
  await field(page).fill('copper')
  await expect(page.getByRole('alert')).toContainText('The data folder can’t be read')
})

test('on a narrow screen, and from another view, the search opens over it', async ({
  window: { open, page, mock },
}) => {
  fill(mock)
  await page.setViewportSize({ width: 480, height: 800 })
  await open('#/privacy')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await page.keyboard.press('ControlOrMeta+Shift+F')
  const dialog = page.getByRole('dialog', { name: 'Search chats' })
  await expect(dialog.getByRole('combobox')).toBeFocused()
  await page.keyboard.type('fish')
  await expect(dialog.getByRole('option')).toHaveCount(1)
  await page.keyboard.press('Enter')
  await expect(dialog).toBeHidden()
  await expect(page).toHaveURL(/#\/chat\/cat$/)
})

test('all chats, or the open one, are saved as a file', async ({
  window: { open, page, mock, composer },
}) => {
  fill(mock)
  await open('#/chat/tea')
  await expect(composer).toBeVisible()
  await page.getByRole('button', { name: 'More chat options' }).click()
  await page.getByRole('menuitem', { name: 'Export this chat…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Export this chat' })
  await expect(dialog).toContainText('isn’t encrypted')
  await dialog.getByLabel('Format').selectOption('JSON')
  const download = page.waitForEvent('download')
  await dialog.getByRole('button', { name: 'Save file' }).click()
  const saved = await download
  expect(saved.suggestedFilename()).toMatch(/^sotto-conversations-\d{4}-\d\d-\d\d\.json$/)
  expect(await readFile(await saved.path(), 'utf8')).toBe('json')
  expect(mock.calls.findLast(({ path }) => path === 'library.export')?.input).toEqual({
    format: 'json',
    conversationId: 'tea',
  })
  await expect(dialog).toContainText('Saved 3 chats.')
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
})

async function showImportDialog({ open, page, mock, composer }: Window) {
  fill(mock)
  await open()
  await expect(composer).toBeFocused()
  await page.keyboard.press('ControlOrMeta+K')
  await page.keyboard.type('import chats')
  await page.keyboard.press('Enter')
  return page.getByRole('dialog', { name: 'Import chats' })
}

test('a file is imported in pieces of text, and an invalid one is refused before', async ({ window }) => {
  const { mock } = window
  const dialog = await showImportDialog(window)
  await dialog.getByTestId('files-input').setInputFiles({
    name: 'export.zip',
    mimeType: 'application/zip',
    buffer: Buffer.from([0x50, 0x4b, 3, 4, 0xff, 0xfe, 0xff]),
  })
  await dialog.getByRole('button', { name: 'Import' }).click()
  await expect(dialog.getByRole('alert')).toContainText('This ZIP file is damaged')
  await dialog.getByTestId('files-input').setInputFiles({
    name: 'conversations.json',
    mimeType: 'application/json',
    buffer: Buffer.from('é'.repeat(800_000)),
  })
  await expect(dialog.getByTestId('import-preview')).toContainText('Found 2 chats with 2 messages.')
  await dialog.getByRole('button', { name: 'Import' }).click()
  await expect(dialog.getByTestId('import-outcome')).toContainText(
    'Imported 2 chats from Sotto with 2 messages.',
  )
  const pieces = mock.calls
    .filter(({ path }) => path === 'library.importPiece')
    .map(({ input }) => (input as { text: string }).text)
  // Once for the preview, and once for the import.
  expect(pieces.slice(0, 2).join('')).toBe('é'.repeat(800_000))
  expect(pieces.slice(2).join('')).toBe('é'.repeat(800_000))
  expect(pieces).toHaveLength(4)
  await dialog.getByRole('button', { name: 'Undo import' }).click()
  await expect(dialog).toContainText('Import undone. Deleted 2 chats.')
})

test('a file that is invalid further on reports the imported chats, and a refused piece reports the reason', async ({
  window,
}) => {
  const { mock } = window
  const dialog = await showImportDialog(window)
  await dialog.getByTestId('files-input').setInputFiles({
    name: 'conversations.json',
    mimeType: 'application/json',
    buffer: Buffer.concat([Buffer.from('é'.repeat(800_000)), Buffer.from([0xff])]),
  })
  await dialog.getByRole('button', { name: 'Import' }).click()
  const outcome = dialog.getByTestId('import-outcome')
  await expect(outcome).toContainText('Imported 1 chat from Sotto with 1 message.')
  expect(mock.calls.findLast(({ path }) => path === 'library.importEnd')?.input).toMatchObject({
    stopped: false,
  })
  const pieces = () => mock.calls.filter(({ path }) => path === 'library.importPiece').length
  const [before, full] = [pieces(), failure('store/unwritable')]
  Object.defineProperty(mock.state.failures, 'library.importPiece', {
    get: () => (pieces() > before + 3 ? full : undefined),
  })
  await dialog.getByTestId('files-input').setInputFiles({
    name: 'conversations.json',
    mimeType: 'application/json',
    buffer: Buffer.from('é'.repeat(800_000)),
  })
  await dialog.getByRole('button', { name: 'Import' }).click()
  await expect(dialog.getByRole('alert')).toContainText('can’t write to the data folder')
  await expect(outcome).toContainText('Stopped. Everything imported so far is saved.')
  await expect(outcome).toContainText('Imported 1 chat from Sotto with 1 message.')
})

test('a backup requires its passphrase twice, and a restore shows its outcome', async ({
  window: { open, page, mock, composer },
}) => {
  fill(mock)
  await open()
  await expect(composer).toBeFocused()
  await page.getByRole('button', { name: 'More chat options' }).click()
  await page.getByRole('menuitem', { name: 'Back up…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Back up chats' })
  await expect(dialog.getByLabel('Backup passphrase')).toBeFocused()
  await dialog.getByLabel('Backup passphrase').fill('twelve letters')
  await dialog.getByLabel('Confirm passphrase').fill('twelve')
  await dialog.getByRole('button', { name: 'Save backup' }).click()
  await expect(dialog).toContainText('The passphrases don’t match.')
  expect(mock.calls.some(({ path }) => path === 'library.backup')).toBe(false)
  await dialog.getByLabel('Confirm passphrase').fill('twelve letters')
  const download = page.waitForEvent('download')
  await dialog.getByRole('button', { name: 'Save backup' }).click()
  expect((await download).suggestedFilename()).toMatch(/\.backup$/)
  await expect(dialog.getByLabel('Backup passphrase')).toHaveValue('')
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await page.getByRole('button', { name: 'More chat options' }).click()
  await page.getByRole('menuitem', { name: 'Restore…' }).click()
  const restore = page.getByRole('dialog', { name: 'Restore chats' })
  await restore
    .getByTestId('file-input')
    .setInputFiles({ name: 'sotto.backup', mimeType: 'text/plain', buffer: Buffer.from('sealed') })
  await restore.getByLabel('Backup passphrase').fill('twelve letters')
  await restore.getByRole('button', { name: 'Restore' }).click()
  await expect(restore.getByTestId('import-outcome')).toBeVisible()
  expect(mock.calls.find(({ path }) => path === 'library.restoreBegin')?.input).toEqual({
    passphrase: 'twelve letters',
  })
})
