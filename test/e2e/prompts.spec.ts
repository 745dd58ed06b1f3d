import { readFile } from 'node:fs/promises'
import { axeFaults } from './axe.ts'
import { expect, test } from './window-test.ts'

const prompts = [
  {
    id: 'p1',
    name: 'Translate',
    text: 'Into {{language|French|German}}, {{tone=plainly}}:\n\n{{text}}',
    updatedAt: 1,
  },
  { id: 'p2', name: 'Greet', text: 'Say hello.', updatedAt: 2 },
]

test('a slash offers prompts; arrows and Enter select one, its form opens, and nothing is sent', async ({
  window: { page, open, mock, composer },
}) => {
  mock.state.shelves.prompts = [...prompts]
  await open()
  await composer.fill('/')
  const list = page.getByRole('listbox', { name: 'Prompts' })
  await expect(list.getByRole('option')).toHaveText([/^Greet/, /^Translate/, /^All prompts/])
  await expect(composer).toHaveAttribute('aria-controls', (await list.getAttribute('id')) ?? '')
  expect(await axeFaults(page)).toEqual([])
  await composer.press('ArrowDown')
  const second = list.getByRole('option').nth(1)
  await expect(second).toHaveAttribute('aria-selected', 'true')
  await expect(composer).toHaveAttribute('aria-activedescendant', (await second.getAttribute('id')) ?? '')
  await composer.press('Enter')

  const form = page.getByRole('dialog', { name: 'Translate' })
  await expect(form.getByLabel('language')).toBeFocused()
  expect(await axeFaults(page)).toEqual([])
  await expect(form.getByLabel('tone')).toHaveValue('plainly')
  await form.getByLabel('language').selectOption('German')
  await form.getByLabel('text').fill('Good {{day}}')
  await page.keyboard.press('Control+Enter')
  await expect(form).toBeHidden()
  await expect(composer).toHaveValue('Into German, plainly:\n\nGood {{day}}')
  await expect(composer).toBeFocused()
  expect(mock.state.conversations).toEqual([])
})

test('typing filters prompts, and a prompt without variables is inserted at once', async ({
  window: { page, open, mock, composer },
}) => {
  mock.state.shelves.prompts = [...prompts]
  await open()
  await composer.fill('/gre')
  await expect(page.getByRole('listbox', { name: 'Prompts' }).getByRole('option')).toHaveText([/^Greet/])
  await composer.press('Tab')
  await expect(composer).toHaveValue('Say hello.')
  await expect(page.getByRole('listbox', { name: 'Prompts' })).toBeHidden()
})

test('text with a slash stays text', async ({ window: { page, open, mock, composer } }) => {
  mock.state.shelves.prompts = [...prompts]
  await open()
  const list = page.getByRole('listbox', { name: 'Prompts' })
  await composer.fill('/gre')
  await expect(list).toBeVisible()
  await composer.press('Escape')
  await expect(list).toBeHidden()
  await composer.press('Enter')
  expect((await mock.nextAnswer()).input.text).toBe('/gre')
  mock.state.conversations = []
  await page.getByRole('button', { name: 'New chat' }).click()
  await composer.fill('/usr/bin is empty')
  await expect(list).toBeHidden()
  await composer.press('Enter')
  expect((await mock.nextAnswer()).input.text).toBe('/usr/bin is empty')
})

test('the library creates, searches, edits, deletes, restores, saves and imports prompts', async ({
  window: { page, open, mock, composer },
}) => {
  await open()
  await composer.fill('/')
  // If there are no prompts yet, the list shows examples and a link to the library.
  await expect(page.getByRole('listbox', { name: 'Prompts' }).getByRole('option')).toHaveCount(6)
  await composer.press('ArrowUp')
  await composer.press('Enter')
  const library = page.getByRole('dialog', { name: 'Prompts', exact: true })
  await expect(library).toContainText('No prompts yet')
  await expect(composer).toHaveValue('')
  await library.getByRole('button', { name: 'Add five examples' }).click()
  await expect(library.getByRole('listitem')).toHaveCount(5)
  expect(await axeFaults(page)).toEqual([])

  await library.getByRole('button', { name: 'New prompt' }).click()
  const editor = page.getByRole('dialog', { name: 'New prompt' })
  await editor.getByRole('button', { name: 'Save' }).click()
  await expect(editor).toContainText('Enter a name.')
  await editor.getByLabel('Name').fill('translate')
  await editor.getByLabel('Text').fill('Ask {{who=them}} about {{what}}')
  await expect(editor).toContainText('Variables: who, what')
  expect(await axeFaults(page)).toEqual([])
  await editor.getByRole('button', { name: 'Save' }).click()
  await expect(editor.getByRole('alert')).toContainText('Another prompt already has this name.')
  await editor.getByLabel('Name').fill('Ask around')
  await editor.getByRole('button', { name: 'Save' }).click()
  await expect(library.getByRole('listitem')).toHaveCount(6)

  await library.getByRole('searchbox', { name: 'Search prompts' }).fill('around')
  await expect(library.getByRole('listitem')).toHaveCount(1)
  await library.getByRole('button', { name: 'More actions for prompt Ask around' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await expect(library).toContainText('No matches')
  await library.getByRole('button', { name: 'Undo' }).click()
  await expect(library.getByRole('listitem')).toHaveCount(1)

  const saved = page.waitForEvent('download')
  await library.getByRole('button', { name: 'Export' }).click()
  const file = JSON.parse(await readFile(await (await saved).path(), 'utf8')) as { prompts: object[] }
  expect(file.prompts).toHaveLength(6)
  expect(file.prompts).toContainEqual({ name: 'Ask around', text: 'Ask {{who=them}} about {{what}}' })

  await library.getByTestId('prompt-file').setInputFiles({
    name: 'p.json',
    mimeType: 'application/json',
    buffer: Buffer.from(
      JSON.stringify([{ command: '/new', content: 'From elsewhere' }, ...file.prompts, {}]),
    ),
  })
  await expect(
    library
      .getByRole('status')
      .filter({ hasText: '1 prompt imported. 7 skipped: already saved or not prompts.' }),
  ).toBeVisible()
  await library
    .getByTestId('prompt-file')
    .setInputFiles({ name: 'p.json', mimeType: 'application/json', buffer: Buffer.from('<html>') })
  await expect(library).toContainText('This file has no prompts.')

  await library.getByRole('searchbox', { name: 'Search prompts' }).fill('elsewhere')
  await library.getByRole('button', { name: /^new/ }).click()
  await expect(composer).toHaveValue('From elsewhere')
  expect(mock.state.shelves.prompts).toHaveLength(7)
})
