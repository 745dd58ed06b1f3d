import { axeFaults } from './axe.ts'
import * as data from './mock-data.ts'
import { expect, test } from './window-test.ts'

const now = Date.now()

test('a chat whose model is gone shows that when it opens, sends nothing, and offers the model picker', async ({
  window: { open, page, mock, composer },
}) => {
  mock.state.conversations = [
    data.conversation('c1', 'Old', now, [['Hello', 'Hi']], { model: 'private/retired-2025' }),
    data.conversation('c2', 'New', now - 1, [['Hello', 'Hi']]),
  ]
  await open('#/chat/c1')
  const note = page.getByTestId('unlisted-model-note')
  await expect(note).toContainText('private/retired-2025 is no longer available.')
  // No state of privacy is promised for a message that can't be sent.
  await expect(page.getByText('Sealed to the verified enclave')).toHaveCount(0)
  await expect(composer).toHaveAccessibleDescription(/no longer available/)
  await composer.fill('Still there?')
  await expect(page.getByRole('button', { name: 'Send', exact: true })).toBeDisabled()
  await composer.press('Enter')
  await page.getByRole('button', { name: 'Edit message' }).click()
  await page.getByRole('textbox', { name: 'Edit message' }).press('Enter')
  await expect(page.getByRole('dialog', { name: 'Choose a model' })).toBeVisible()
  await page.keyboard.press('Escape')
  expect(mock.calls.filter(({ path }) => path.startsWith('chat.send'))).toEqual([])
  expect(await axeFaults(page, 'main')).toEqual([])

  await note.getByRole('button', { name: 'Choose model' }).click()
  await page.getByRole('option', { name: /Sandbox Small/ }).click()
  await expect(note).toHaveCount(0)
  await expect(composer).toBeFocused()
  await composer.press('Enter')
  expect((await mock.nextAnswer()).input).toMatchObject({
    model: 'private/sandbox-small',
    text: 'Still there?',
  })
  await page.evaluate(`location.hash = '#/chat/c2'`)
  await expect(page.getByRole('heading', { name: 'New', exact: true })).toBeVisible()
  await expect(note).toHaveCount(0)
})

test('an imported chat names its old model, and the note disappears when the model is listed again', async ({
  window: { open, page, mock },
}) => {
  mock.state.conversations = [
    data.conversation('c1', 'Import', now, [['Hello', 'Hi']], {
      model: 'gpt-4o',
      private: false,
      imported: true,
    }),
  ]
  await open('#/chat/c1')
  const note = page.getByTestId('unlisted-model-note')
  await expect(note).toContainText('This imported chat used gpt-4o, which the service doesn’t list.')
  mock.state.models = [...mock.state.models, { id: 'gpt-4o', name: 'GPT-4o', type: 'chat', private: false }]
  await note.getByRole('button', { name: 'Refresh models' }).click()
  await expect(note).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Model: GPT-4o' })).toBeVisible()
})

test('Enter before the model list loads sends nothing to a model that the list doesn’t have', async ({
  window: { open, page, mock, composer },
}) => {
  mock.state.conversations = [
    data.conversation('c1', 'Old', now, [['Hello', 'Hi']], { model: 'private/retired-2025' }),
  ]
  let list = (): void => undefined
  mock.state.beforeModels = () =>
    new Promise((resolve) => {
      list = resolve
    })
  await open('#/chat/c1')
  await composer.fill('Early')
  await composer.press('Enter')
  await expect(page.getByRole('button', { name: 'Loading models…' })).toBeVisible()
  list()
  await expect(page.getByTestId('unlisted-model-note')).toBeVisible()
  await expect(composer).toHaveValue('Early')
  expect(mock.calls.filter(({ path }) => path === 'chat.send')).toEqual([])
})

test('an import asks once for each old model, and sends the choices', async ({
  window: { open, page, mock, composer },
}) => {
  await open()
  await expect(composer).toBeFocused()
  await page.getByRole('button', { name: 'More chat options' }).click()
  await page.getByRole('menuitem', { name: 'Import…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Import chats' })
  await dialog.getByTestId('files-input').setInputFiles({
    name: 'conversations.json',
    mimeType: 'application/json',
    buffer: Buffer.from('[]'),
  })
  const models = dialog.getByRole('group', { name: 'Models to continue with' })
  await expect(models.getByRole('combobox')).toHaveCount(2)
  await expect(models.getByLabel('gpt-4o (1 chat)')).toHaveValue('')
  await models.getByLabel('gpt-4o (1 chat)').selectOption('private/sandbox-large')
  expect(await axeFaults(page, '[role=dialog]')).toEqual([])
  await dialog.getByRole('button', { name: 'Import', exact: true }).click()
  await expect(dialog.getByTestId('import-outcome')).toBeVisible()
  expect(mock.calls.findLast(({ path }) => path === 'library.importBegin')?.input).toEqual({
    preview: false,
    models: [{ from: 'gpt-4o', to: 'private/sandbox-large' }],
  })
})
