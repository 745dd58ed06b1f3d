import { axeFaults } from './axe.ts'
import { conversation } from './mock-data.ts'
import { expect, test } from './window-test.ts'

test.beforeEach(({ window: { mock } }) => {
  // Midnight may have passed since the file was loaded.
  const now = Date.now()
  mock.state.conversations = [
    conversation('tea', 'Tea', now, [['Which kettle?', 'A quiet one.']]),
    conversation('roof', 'The roof', now - 1000, [['How long?', 'A century.']]),
    conversation('cat', 'A cat', now - 2000, [['What does it eat?', 'Fish.']]),
  ]
})

test('a folder is created, filled by the menu, collapsed, renamed, deleted and restored, by keyboard only', async ({
  window: { page, open, mock },
}) => {
  await open()
  const list = page.getByRole('group', { name: 'Chats' })
  await list.getByRole('button', { name: 'More actions for Tea' }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('menuitem', { name: 'Move to folder…' }).press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Move to folder' })
  await expect(dialog.getByLabel('Folder name')).toBeFocused()
  expect(await axeFaults(page)).toEqual([])
  await page.keyboard.type('Kitchen')
  await page.keyboard.press('Enter')
  await expect(dialog).toBeHidden()
  const folder = list.getByRole('button', { name: /^Kitchen/ })
  await expect(folder).toHaveAttribute('aria-expanded', 'true')
  await expect(folder).toHaveText(/1$/)
  expect(await axeFaults(page)).toEqual([])

  await folder.focus()
  await page.keyboard.press('Enter')
  await expect(folder).toHaveAttribute('aria-expanded', 'false')
  await expect(list.getByRole('link', { name: /Tea/ })).toBeHidden()
  await expect.poll(() => mock.state.shelves.folders[0]?.collapsed).toBe(true)
  await page.reload()
  await expect(folder).toHaveAttribute('aria-expanded', 'false')

  await list.getByRole('button', { name: 'More actions for folder Kitchen' }).press('Enter')
  await page.getByRole('menuitem', { name: 'Rename' }).press('Enter')
  const name = page.getByRole('dialog').getByLabel('Folder name')
  await expect(name).toBeFocused()
  await name.fill('House')
  // Escape in an input method ends its composition, but doesn't close the dialog.
  await name.dispatchEvent('keydown', { key: 'Escape', isComposing: true, bubbles: true })
  await expect(name).toHaveValue('House')
  await page.keyboard.press('Enter')
  await expect(list.getByRole('button', { name: /^House/ })).toBeVisible()

  await list.getByRole('button', { name: 'More actions for folder House' }).press('Enter')
  await page.getByRole('menuitem', { name: 'Delete folder' }).press('Enter')
  await expect(page.getByTestId('undo')).toContainText('Folder “House” deleted. Its chats remain.')
  await expect(list.getByRole('link', { name: /Tea/ })).toBeVisible()
  await page.getByRole('button', { name: 'Undo' }).press('Enter')
  await expect(list.getByRole('button', { name: /^House/ })).toHaveText(/1$/)
})

test('a chat is dragged into a folder and out of it, and items of other programs are ignored', async ({
  window: { page, open, mock },
}) => {
  mock.state.shelves.folders = [{ id: 'f1', name: 'Kitchen' }]
  await open()
  const list = page.getByRole('group', { name: 'Chats' })
  const folder = list.getByRole('button', { name: /^Kitchen/ })
  await list.getByRole('link', { name: 'The roof' }).dragTo(folder)
  await expect(folder).toHaveText(/1$/)
  await expect
    .poll(
      () => mock.state.conversations.find(({ conversation: { id } }) => id === 'roof')?.conversation.folderId,
    )
    .toBe('f1')
  await list.getByRole('link', { name: 'The roof' }).dragTo(list.getByRole('heading', { name: 'Today' }))
  await expect(folder).toHaveText(/0$/)
  // The drop affected only the list, and no address was inserted in the message.
  await expect(page.getByLabel('Message', { exact: true })).toHaveValue('')
})

test('the command palette creates a folder and moves the open chat, and a taken name is refused', async ({
  window: { page, open, mock },
}) => {
  mock.state.shelves.folders = [{ id: 'f1', name: 'Kitchen' }]
  await open('/chat/tea')
  await expect(page.getByRole('heading', { name: 'Tea', exact: true })).toBeVisible()
  await page.keyboard.press('ControlOrMeta+K')
  await page.keyboard.type('new folder')
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'New folder' })
  await dialog.getByLabel('Folder name').fill('kitchen')
  await page.keyboard.press('Enter')
  await expect(dialog.getByRole('alert')).toContainText('Another folder already has this name.')
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await page.keyboard.press('ControlOrMeta+K')
  await page.keyboard.type('move this')
  await page.keyboard.press('Enter')
  await page
    .getByRole('dialog', { name: 'Move to folder' })
    .getByLabel('Folder', { exact: true })
    .selectOption('Kitchen')
  await page.getByRole('button', { name: 'Move', exact: true }).click()
  await expect
    .poll(
      () => mock.state.conversations.find(({ conversation: { id } }) => id === 'tea')?.conversation.folderId,
    )
    .toBe('f1')
})

test('with 5,000 chats in folders, only a few rows are rendered', async ({
  window: { page, open, mock },
}) => {
  mock.state.shelves.folders = Array.from({ length: 50 }, (_, at) => ({
    id: `f${String(at)}`,
    name: `Folder ${String(at).padStart(2, '0')}`,
  }))
  mock.state.conversations = Array.from({ length: 5000 }, (_, at) =>
    conversation(`c${String(at)}`, `Number ${String(at)}`, Date.now() - at * 1000, [['a', 'b']], {
      folderId: `f${String(at % 50)}`,
    }),
  )
  await open()
  const list = page.getByRole('group', { name: 'Chats' })
  await expect(list.getByRole('button', { name: /^Folder 00/ })).toHaveText(/100$/)
  expect(await list.getByRole('listitem').count()).toBeLessThan(120)
})
