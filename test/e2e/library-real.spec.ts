import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from '@playwright/test'
import { startSotto, type SottoProcess } from '../process/sotto-process.ts'
import { showRealWindow } from './show-real-window.ts'

/** The whole product on the sandbox: imported chats can be found, shown and exported again. */
let folder: string
let sotto: SottoProcess

test.beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sotto-library-'))
  sotto = await startSotto(folder)
})
test.afterAll(async () => {
  await sotto.stop('SIGTERM')
  await rm(folder, { recursive: true, force: true })
})

const makeMessage = (role: string, text: string) => ({
  author: { role },
  create_time: 1_697_000_000,
  content: { content_type: 'text', parts: [text] },
  recipient: 'all',
  metadata: {},
})
const chatGpt = (title: string, question: string, answer: string) => ({
  title,
  create_time: 1_697_000_000,
  update_time: 1_697_000_100,
  current_node: 'a',
  mapping: {
    root: { parent: null, message: null },
    q: { parent: 'root', message: makeMessage('user', question) },
    a: { parent: 'q', message: makeMessage('assistant', answer) },
  },
})

test('a ChatGPT export is imported, found by a word in it, never shown as sealed, and saved as a page without scripts', async ({
  page,
}) => {
  await showRealWindow(page, sotto)
  await page.getByRole('button', { name: 'More chat options' }).click()
  await page.getByRole('menuitem', { name: 'Import…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Import chats' })
  const file = [
    chatGpt('Coppersmiths', 'Who beats copper?', 'A coppersmith <script>document.title = "run"</script>'),
    chatGpt('東京', '東京大学の入試', 'はい'),
    { mapping: 3 },
  ]
  await dialog.getByTestId('files-input').setInputFiles({
    name: 'conversations.json',
    mimeType: 'application/json',
    buffer: Buffer.from(JSON.stringify(file)),
  })
  await dialog.getByRole('button', { name: 'Import' }).click()
  await expect(dialog.getByTestId('import-outcome')).toContainText(
    'Imported 2 chats from ChatGPT with 4 messages.',
  )
  await expect(dialog.getByTestId('import-outcome')).toContainText('Item 3: invalid format')
  await dialog.getByRole('button', { name: 'Done' }).click()

  const list = page.getByRole('group', { name: 'Chats' })
  await expect(list.getByRole('link', { name: 'Coppersmiths' })).toBeVisible()
  await page.keyboard.press('ControlOrMeta+Shift+F')
  await page.keyboard.type('大学')
  const found = page.getByRole('listbox', { name: 'Chats found' }).getByRole('option')
  await expect(found).toHaveCount(1)
  await expect(found.locator('mark')).toHaveText('大学')
  await page.getByRole('combobox', { name: 'Search chats' }).fill('copper beats')
  await expect(found).toHaveText([/Coppersmiths/])
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Coppersmiths' })).toBeVisible()
  await expect(page.getByRole('region', { name: 'Messages' })).toContainText('A coppersmith')
  await expect(page.getByRole('main').getByText('Private', { exact: true })).toHaveCount(0)

  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'More chat options' }).click()
  await page.getByRole('menuitem', { name: 'Export all…' }).click()
  await page.getByLabel('Format').selectOption('HTML')
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Save file' }).click()
  const saved = await readFile(await (await download).path(), 'utf8')
  expect(saved).toContain('A coppersmith &lt;script&gt;')
  expect(saved).not.toContain('<script')
  // A separate page, because the window's policy lets no text become markup.
  const opened = await page.context().newPage()
  await opened.setContent(saved)
  await expect(opened.getByRole('heading', { name: 'Coppersmiths' })).toBeVisible()
  expect(await opened.title()).toMatch(/^Conversations, saved by Sotto/)
})

test('Claude and Open WebUI exports are imported, and one conversation is saved as Markdown and as JSON', async ({
  page,
}) => {
  await showRealWindow(page, sotto)
  const more = (item: string) =>
    page
      .getByRole('button', { name: 'More chat options' })
      .click()
      .then(() => page.getByRole('menuitem', { name: item }).click())
  const claude = {
    uuid: 'u',
    name: 'Architecture',
    created_at: '2025-10-01T10:00:00Z',
    updated_at: '2025-10-01T10:01:00Z',
    chat_messages: [
      {
        uuid: '1',
        sender: 'human',
        text: 'What is a monad?',
        content: [{ type: 'text', text: 'What is a monad?' }],
        created_at: '2025-10-01T10:00:00Z',
      },
      {
        uuid: '2',
        sender: 'assistant',
        text: 'A burrito.',
        content: [{ type: 'text', text: 'A burrito.' }],
        created_at: '2025-10-01T10:01:00Z',
      },
    ],
  }
  const webUiExport = {
    id: 'w',
    title: 'Tea',
    chat: {
      title: 'Tea',
      models: ['llama3'],
      history: {
        currentId: 'a',
        messages: {
          q: {
            id: 'q',
            parentId: null,
            childrenIds: ['a'],
            role: 'user',
            content: 'Green or black?',
            timestamp: 1_720_000_000,
            models: ['llama3'],
          },
          a: {
            id: 'a',
            parentId: 'q',
            childrenIds: [],
            role: 'assistant',
            content: 'Green.',
            model: 'llama3',
            timestamp: 1_720_000_001,
          },
        },
      },
    },
    updated_at: 1_720_000_001,
    created_at: 1_720_000_000,
  }
  for (const [source, file] of [
    ['Claude', claude],
    ['Open WebUI', webUiExport],
  ] as const) {
    await more('Import…')
    const dialog = page.getByRole('dialog', { name: 'Import chats' })
    await dialog.getByTestId('files-input').setInputFiles({
      name: 'export.json',
      mimeType: 'application/json',
      buffer: Buffer.from(JSON.stringify([file])),
    })
    await dialog.getByRole('button', { name: 'Import' }).click()
    await expect(dialog.getByTestId('import-outcome')).toContainText(
      `Imported 1 chat from ${source} with 2 messages.`,
    )
    await dialog.getByRole('button', { name: 'Done' }).click()
  }
  await page.getByRole('group', { name: 'Chats' }).getByRole('link', { name: 'Architecture' }).click()
  await expect(page.getByRole('region', { name: 'Messages' })).toContainText('A burrito.')
  for (const [format, pattern] of [
    ['Markdown', /# Architecture[^]*What is a monad\?[^]*A burrito\./],
    ['JSON', /"title": ?"Architecture"[^]*A burrito\./],
  ] as const) {
    await more('Export this chat…')
    const dialog = page.getByRole('dialog', { name: 'Export this chat' })
    await dialog.getByLabel('Format').selectOption(format)
    const download = page.waitForEvent('download')
    await dialog.getByRole('button', { name: 'Save file' }).click()
    const saved = await readFile(await (await download).path(), 'utf8')
    expect(saved).toMatch(pattern)
    expect(saved).not.toContain('Green or black?')
    await page.keyboard.press('Escape')
    await expect(dialog).toHaveCount(0)
  }
})

test('a backup restores a deleted chat, and nothing without its passphrase', async ({ page }) => {
  await showRealWindow(page, sotto)
  const more = (item: string) =>
    page
      .getByRole('button', { name: 'More chat options' })
      .click()
      .then(() => page.getByRole('menuitem', { name: item }).click())
  await page.getByRole('textbox', { name: 'Message' }).fill('Remember the lighthouse')
  await page.keyboard.press('Enter')
  await expect(
    page.getByRole('article', { name: /^Reply from/ }).getByRole('button', { name: /Private.*Receipt/ }),
  ).toBeVisible({ timeout: 30_000 })
  await more('Back up…')
  await page.getByLabel('Backup passphrase').fill('a keeper and a lamp')
  await page.getByLabel('Confirm passphrase').fill('a keeper and a lamp')
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Save backup' }).click()
  const file = await (await download).path()
  expect(await readFile(file, 'utf8')).not.toContain('lighthouse')
  await page.getByRole('button', { name: 'Done' }).click()

  const { conversations } = {
    conversations: (await sotto.call('conversations/list')) as { id: string; title: string }[],
  }
  const { id } = conversations.find(({ title }) => title.includes('lighthouse')) ?? { id: '' }
  await sotto.call('conversations/remove', { conversationId: id })
  await expect(async () => {
    await more('Restore…')
    const dialog = page.getByRole('dialog', { name: 'Restore chats' })
    await dialog.getByTestId('file-input').setInputFiles(file)
    await dialog.getByLabel('Backup passphrase').fill('another one')
    await dialog.getByRole('button', { name: 'Restore' }).click()
    await expect(dialog.getByRole('alert')).toContainText('doesn’t unlock the backup', { timeout: 20_000 })
    await dialog.getByLabel('Backup passphrase').fill('a keeper and a lamp')
    await dialog.getByRole('button', { name: 'Restore' }).click()
    await expect(dialog.getByTestId('import-outcome')).toContainText('Imported', { timeout: 20_000 })
    const outcome = await dialog.getByTestId('import-outcome').textContent()
    await dialog.getByRole('button', { name: 'Done' }).click()
    // A deletion can be undone for a while. The deleted chat keeps its place until then, so the restore is
    // repeated.
    expect(outcome).toContain('Imported 1 chat from the backup with 2 messages.')
  }).toPass({ timeout: 90_000 })
  await page
    .getByRole('group', { name: 'Chats' })
    .getByRole('link', { name: /lighthouse/ })
    .click()
  await page
    .getByRole('article', { name: /^Reply from/ })
    .getByRole('button', { name: /Private.*Receipt/ })
    .click()
  await expect(page.getByRole('dialog', { name: 'Receipt' })).toContainText('Private')
})

test('a project is exported, and its file becomes a new private-only project', async ({ page }) => {
  const { id } = (await sotto.call('projects/create', {
    name: 'Lease',
    instructions: 'between us',
    privateOnly: true,
  })) as { id: string }
  await showRealWindow(page, sotto, `#/projects/${id}`)
  await page.getByRole('button', { name: 'More actions for Lease' }).click()
  await page.getByRole('menuitem', { name: 'Export…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Export project' })
  await dialog.getByRole('checkbox', { name: 'Encrypt with a passphrase' }).uncheck()
  await expect(dialog.getByRole('alert')).toContainText('The file isn’t encrypted.')
  await dialog.getByRole('checkbox', { name: 'Encrypt with a passphrase' }).check()
  await dialog.getByLabel('Passphrase', { exact: true }).fill('a passphrase that is long')
  await dialog.getByLabel('Confirm passphrase').fill('a passphrase that is long')
  const download = page.waitForEvent('download')
  await dialog.getByRole('button', { name: 'Export project' }).click()
  const saved = await download
  expect(saved.suggestedFilename()).toBe('Lease.sotto-project')
  const content = await readFile(await saved.path())
  expect(content.includes('between us')).toBe(false)
  await dialog.getByRole('button', { name: 'Done' }).click()

  await page.evaluate(() => (location.hash = '#/projects'))
  await page.getByRole('button', { name: 'Import project…' }).click()
  const importing = page.getByRole('dialog', { name: 'Import project' })
  await importing
    .getByTestId('file-input')
    .setInputFiles({ name: 'Lease.sotto-project', mimeType: 'text/plain', buffer: content })
  await importing.getByLabel('Passphrase').fill('another passphrase')
  await importing.getByRole('button', { name: 'Import' }).click()
  await expect(importing).toContainText('This passphrase doesn’t unlock the project file.')
  await importing.getByLabel('Passphrase').fill('a passphrase that is long')
  await importing.getByRole('button', { name: 'Import' }).click()
  await expect(page.getByRole('switch', { name: 'Private only' })).toBeChecked()
  expect(page.url()).not.toContain(id)
  await expect(page.getByLabel('Instructions')).toHaveValue('between us')
})
