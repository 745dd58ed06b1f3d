import type { Locator, Page } from '@playwright/test'
import { axeFaults } from './axe.ts'
import { conversation } from './mock-data.ts'
import { failure } from './mock-server.ts'
import { expect, test } from './window-test.ts'

test.beforeEach(({ window: { mock } }) => {
  const now = Date.now()
  mock.state.conversations = [
    conversation('tea', 'Tea', now, [['Which kettle?', 'A quiet one.']]),
    conversation('roof', 'The roof', now - 1000, [['How long?', 'A century.']]),
  ]
  mock.state.shelves.folders = [{ id: 'f1', name: 'Kitchen' }]
  const times = { createdAt: 0, updatedAt: 0 }
  mock.state.projects = [{ id: 'p1', name: 'House', instructions: '', privateOnly: true, ...times }]
})

const listOf = (page: Page) => page.getByRole('group', { name: 'Chats' })

const failureIn = (page: Page) => page.getByRole('complementary', { name: 'Sidebar' }).getByRole('alert')

async function choose(page: Page, of: string, item: string): Promise<void> {
  await listOf(page)
    .getByRole('button', { name: `More actions for ${of}` })
    .click()
  await page.getByRole('menuitem', { name: item, exact: true }).click()
}

for (const place of ['#/privacy', '#/studio', '#/settings', '#/projects'])
  test(`the dialogs of the chat list open in ${place}`, async ({ window: { open, page } }) => {
    await open(place)
    const dialog = (name: string) => page.getByRole('dialog', { name })
    await page.getByRole('button', { name: 'New folder' }).click()
    await dialog('New folder').getByLabel('Folder name').fill('Garden')
    await page.keyboard.press('Enter')
    await expect(listOf(page).getByRole('button', { name: /^Garden/ })).toBeVisible()
    await choose(page, 'folder Garden', 'Rename')
    await dialog('Rename folder').getByLabel('Folder name').fill('Yard')
    await page.keyboard.press('Enter')
    await choose(page, 'Tea', 'Move to folder…')
    await dialog('Move to folder').getByLabel('Folder', { exact: true }).selectOption('Yard')
    await page.getByRole('button', { name: 'Move', exact: true }).click()
    await expect(listOf(page).getByRole('button', { name: /^Yard/ })).toHaveText(/1$/)
    await choose(page, 'The roof', 'Move to project…')
    await dialog('Move to project').getByLabel('Project').selectOption('House')
    await page.getByRole('button', { name: 'Move', exact: true }).click()
    await expect(dialog('Move to project')).toBeHidden()
    await expect(page).toHaveURL(new RegExp(`${place}$`))
  })

test('the command palette creates a folder in every view', async ({ window: { open, page } }) => {
  await open('#/privacy')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await page.keyboard.press('ControlOrMeta+K')
  await page.keyboard.type('new folder')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog', { name: 'New folder' })).toBeVisible()
})

test('a chat that is deleted in another view can be restored there', async ({ window: { open, page } }) => {
  await open('#/privacy')
  await choose(page, 'Tea', 'Delete')
  const undo = page.getByTestId('undo')
  await expect(undo).toContainText('“Tea” deleted.')
  await expect(listOf(page).getByRole('link', { name: 'Tea' })).toHaveCount(0)
  await undo.getByRole('button', { name: 'Undo' }).click()
  await expect(listOf(page).getByRole('link', { name: 'Tea' })).toBeVisible()
  await expect(undo).toHaveCount(0)
})

test('a folder that is deleted in another view can be restored there', async ({ window: { open, page } }) => {
  await open('#/settings')
  await choose(page, 'folder Kitchen', 'Delete folder')
  await page.getByTestId('undo').getByRole('button', { name: 'Undo' }).click()
  await expect(listOf(page).getByRole('button', { name: /^Kitchen/ })).toBeVisible()
  await expect(page).toHaveURL(/#\/settings$/)
})

async function overlap(one: Locator, other: Locator): Promise<boolean> {
  const [a, b] = [await one.boundingBox(), await other.boundingBox()]
  if (!a || !b) throw new Error('hidden')
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height
}

for (const width of [1280, 480])
  for (const colorScheme of ['light', 'dark'] as const)
    test(`Undo covers no button at ${String(width)} pixels, ${colorScheme}`, async ({
      window: { open, page },
    }) => {
      await page.emulateMedia({ colorScheme })
      await open('#/studio')
      await expect(page.getByTestId('ask-line')).toBeVisible()
      await choose(page, 'Tea', 'Delete')
      const undo = page.getByTestId('undo')
      await expect(undo).toBeVisible()
      await page.setViewportSize({ width, height: 720 })
      const create = page.getByTestId('ask-line').getByRole('button').last()
      await create.scrollIntoViewIfNeeded()
      expect(await overlap(undo, create)).toBe(false)
      expect(await overlap(undo, page.getByRole('main'))).toBe(false)
      expect(await axeFaults(page)).toEqual([])
    })
for (const place of ['#/chat/roof', '#/privacy'])
  for (const [call, of, item] of [
    ['conversations.pin', 'Tea', 'Pin'],
    ['conversations.fork', 'Tea', 'Branch'],
    ['conversations.remove', 'Tea', 'Delete'],
    ['folders.remove', 'folder Kitchen', 'Delete folder'],
  ] as const)
    test(`a failure of “${item}” is shown in the list, in ${place}`, async ({
      window: { open, page, mock },
    }) => {
      const newest = Date.now() + 1000
      const more = Array.from({ length: 40 }, (_, at) =>
        conversation(`c${String(at)}`, `Chat ${String(at)}`, newest - at, [['a', 'b']]),
      )
      mock.state.conversations = [...more, ...mock.state.conversations]
      await open(place)
      if (of === 'Tea') {
        await expect(listOf(page).getByRole('link', { name: 'Chat 1', exact: true })).toBeVisible()
        await listOf(page).hover()
        await page.mouse.wheel(0, 5000)
      }
      mock.state.failures[call] = failure('store/damaged')
      await choose(page, of, item)
      await expect(failureIn(page)).toContainText('The data folder can’t be read')
      await expect(failureIn(page)).toBeInViewport()
      await expect(page.getByRole('alert')).toHaveCount(1)
      mock.state.failures = {}
      await choose(page, of, item)
      await expect(failureIn(page)).toHaveCount(0)
    })

test('a failure of Undo in another view is shown in the list', async ({ window: { open, page, mock } }) => {
  await open('#/privacy')
  await choose(page, 'Tea', 'Delete')
  mock.state.failures['conversations.restore'] = failure('store/damaged')
  await page.getByTestId('undo').getByRole('button', { name: 'Undo' }).click()
  await expect(failureIn(page)).toContainText('The data folder can’t be read')
  mock.state.failures = {}
  await page.getByTestId('undo').getByRole('button', { name: 'Undo' }).click()
  await expect(listOf(page).getByRole('link', { name: 'Tea' })).toBeVisible()
  await expect(failureIn(page)).toHaveCount(0)
})
