import type { Page } from '@playwright/test'
import { axeFaults } from './axe.ts'
import * as data from './mock-data.ts'
import type { MockAnswer } from './mock-answer.ts'
import { failure, type MockServer } from './mock-server.ts'
import { compared, richModels } from './screens/model-screens.ts'
import { expect, test } from './window-test.ts'

const now = Date.now()
const column = (page: Page, name: string) => page.getByRole('article', { name })

/** Chooses these to be compared, by the keyboard, and is back in the text. */
async function choose(page: Page, ...names: readonly string[]): Promise<void> {
  await page.getByRole('button', { name: /^Models?:/ }).focus()
  await page.keyboard.press('Enter')
  const field = page.getByRole('combobox', { name: 'Search models' })
  await expect(field).toBeFocused()
  await page.keyboard.press('Control+Enter')
  for (const chosen of await page.locator('[role="option"][aria-selected="true"]').all()) await chosen.click()
  for (const name of names) {
    await field.fill(name)
    await expect(page.getByRole('option').first()).toContainText(name)
    await page.keyboard.press('Enter')
  }
  await field.fill('')
  await page.keyboard.press('Control+Enter')
  await expect(
    page.getByRole('button', { name: `Models: ${String(names.length)} models side by side` }),
  ).toBeVisible()
  await expect(page.getByLabel('Message', { exact: true })).toBeFocused()
}

/** Collects this many requested replies by their model. */
async function answersOf(mock: MockServer, count: number): Promise<Map<string, MockAnswer>> {
  const answers = new Map<string, MockAnswer>()
  while (answers.size < count) {
    const answer = await mock.nextAnswer()
    answers.set(answer.input.model, answer)
  }
  return answers
}

test('one question goes to two models by keyboard, shows replies side by side, and continues with one', async ({
  window: { open, page, mock, composer, messages },
}) => {
  mock.state.models = richModels
  await open()
  await choose(page, 'Sandbox Large', 'Sandbox Vision')
  await expect(page.getByText('Estimate for all: <$0.01 (up to $0.42)')).toBeVisible()
  await page.keyboard.type('Will it rain?')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Side by side' })).toBeFocused()
  const answers = await answersOf(mock, 2)
  const [large, vision] = [answers.get('private/sandbox-large')!, answers.get('private/sandbox-vision')!]
  expect(mock.state.conversations[0]?.messages.filter(({ role }) => role === 'user')).toHaveLength(1)
  expect([large, vision].map(({ input }) => [input.comparing, input.text])).toEqual([
    [true, 'Will it rain?'],
    [true, 'Will it rain?'],
  ])
  large.stage('waiting')
  vision.delta('It **will')
  await expect(column(page, 'Sandbox Vision').getByText('It **will')).toBeVisible()
  await expect(column(page, 'Sandbox Vision')).toContainText('writing…')
  await expect(column(page, 'Sandbox Large')).toContainText('waiting…')
  vision.delta('** rain.')
  const receipt = data.receipt('r-v', now, {
    model: 'private/sandbox-vision',
    usage: { prompt: 20, completion: 100 },
    firstByteMs: 500,
    durationMs: 2500,
  })
  mock.state.receipts.push(receipt)
  vision.end({}, receipt)
  for (const figure of ['complete', '0.13518¢', '100 tokens', '50 tokens/s', '500 ms', 'Private', 'Receipt'])
    await expect(column(page, 'Sandbox Vision')).toContainText(figure)
  large.delta('No.')
  await expect(column(page, 'Sandbox Large').getByText('No.')).toBeVisible()
  await page.getByRole('button', { name: 'Stop Sandbox Large' }).press('Enter')
  await large.stopped
  await expect(column(page, 'Sandbox Large')).toContainText('stopped')
  await page.getByRole('button', { name: 'Continue with this: Sandbox Vision' }).press('Enter')
  await expect(messages.getByRole('article', { name: 'Reply from Sandbox Vision' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Model: Sandbox Vision' })).toBeVisible()
  await expect(composer).toBeFocused()
  expect(mock.calls.findLast(({ path }) => path === 'conversations.show')?.input).toMatchObject({
    messageId: mock.state.conversations[0]?.messages.find(({ model }) => model === 'private/sandbox-vision')
      ?.id,
  })
  await composer.fill('And tomorrow?')
  await composer.press('Enter')
  const next = await mock.nextAnswer()
  expect(next.input).toMatchObject({ model: 'private/sandbox-vision', text: 'And tomorrow?' })
  expect(next.input.comparing).toBeUndefined()
})

test('all replies stop together, with the button or Esc', async ({
  window: { open, page, mock, composer },
}) => {
  mock.state.models = richModels
  await open()
  await choose(page, 'Sandbox Large', 'Sandbox Vision')
  await composer.fill('One')
  await composer.press('Enter')
  const first = await answersOf(mock, 2)
  await page.getByRole('button', { name: 'Stop all' }).click()
  await Promise.all([...first.values()].map(({ stopped }) => stopped))
  await expect(page.getByText('stopped', { exact: true })).toHaveCount(2)
  await page.getByRole('button', { name: 'Back to chat' }).click()
  await composer.fill('Two')
  await composer.press('Enter')
  const second = await answersOf(mock, 2)
  await expect(page.getByRole('heading', { name: 'Side by side' })).toBeFocused()
  // The service may have the requests before the window shows that they run.
  await expect(page.getByRole('button', { name: 'Stop all' })).toBeVisible()
  await page.keyboard.press('Escape')
  await Promise.all([...second.values()].map(({ stopped }) => stopped))
})

test('with private and public models, the public one gets the question only after the user saw the content and allowed it', async ({
  window: { open, page, mock, composer },
}) => {
  mock.state.models = richModels
  await open()
  await choose(page, 'Lookout', 'Sandbox Large')
  await expect(page.getByText(/Private models reply first/)).toBeVisible()
  // Only one state is shown: that of the message with the most readers.
  await expect(page.locator('#who-reads [data-privacy]')).toHaveText(['Visible'])
  await composer.fill('Between us?')
  await composer.press('Enter')
  const sealed = await mock.nextAnswer()
  expect(sealed.input.model).toBe('private/sandbox-large')
  sealed.delta('Quietly.')
  const dialog = page.getByRole('alertdialog')
  await expect(dialog).toBeVisible()
  const asked = mock.calls.find(({ path }) => path === 'consents.preview')?.input
  expect(asked).toMatchObject({ purpose: 'compare', models: ['sandbox/lookout'] })
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await expect(page.getByText('Not asked, to keep this chat private: Lookout.')).toBeVisible()
  expect(mock.calls.filter(({ path }) => path === 'chat.regenerate')).toEqual([])
  await page.getByRole('button', { name: 'Review again…' }).click()
  await dialog.getByRole('button', { name: 'Allow once' }).click()
  const open_ = await mock.nextAnswer()
  expect(open_.input).toMatchObject({ model: 'sandbox/lookout', comparing: true })
  expect(open_.input.consentId).toMatch(/^consent-/)
  open_.delta('Aloud.')
  open_.end({ privacy: 'forwarded' })
  sealed.end()
  await expect(column(page, 'Lookout')).toContainText('Visible')
  await expect(column(page, 'Sandbox Large')).toContainText('Private')
})

test('a past comparison opens from its replies, and unknown parts stay unknown', async ({
  window: { open, page, mock, messages },
}) => {
  compared(mock)
  await open('#/chat/c1')
  await messages.getByRole('button', { name: 'Show replies side by side' }).press('Enter')
  await expect(page.getByRole('heading', { name: 'Side by side' })).toBeFocused()
  await expect(page.getByRole('article')).toHaveCount(3)
  await expect(column(page, 'Essayist').getByText('not reported')).toHaveCount(2)
  await expect(page.getByText('Total unknown: some costs weren’t reported')).toBeVisible()
  await column(page, 'Sandbox Large')
    .getByRole('button', { name: /Receipt/ })
    .click()
  await expect(page.getByRole('dialog', { name: 'Receipt' })).toBeVisible()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Back to chat' }).click()
  await expect(messages).toBeVisible()
})

test('a refused reply shows the refusal next to the others', async ({
  window: { open, page, mock, composer },
}) => {
  mock.state.models = richModels
  await open()
  await choose(page, 'Sandbox Large', 'Sandbox Vision')
  await composer.fill('One')
  await composer.press('Enter')
  const answers = await answersOf(mock, 2)
  answers
    .get('private/sandbox-large')!
    .end(
      { state: 'failed', privacy: 'refused', errorCode: 'attestation/failed' },
      data.refusedReceipt('r9', now),
      failure('attestation/failed'),
    )
  answers.get('private/sandbox-vision')!.delta('Yes.')
  answers.get('private/sandbox-vision')!.end()
  await expect(column(page, 'Sandbox Large').getByRole('note')).toContainText('Nothing was sent')
  await expect(column(page, 'Sandbox Vision')).toContainText('complete')
  await expect(page.getByRole('button', { name: 'Continue with this: Sandbox Large' })).toHaveCount(0)
})

test('a comparison has two to four models', async ({ window: { open, page, mock } }) => {
  mock.state.models = [...richModels, { id: 'sandbox/fifth', name: 'Fifth', private: false }]
  await open()
  await page.getByRole('button', { name: /^Model:/ }).click()
  await page.getByRole('button', { name: 'Compare…' }).click()
  await expect(page.getByRole('button', { name: 'Compare', exact: true })).toBeDisabled()
  for (const name of ['Sandbox Vision', 'Lookout', 'Essayist', 'Fifth'])
    await page.getByRole('option', { name }).click()
  await expect(page.locator('[role="option"][aria-selected="true"]')).toHaveCount(4)
  await expect(page.getByTestId('announcer')).toHaveText('You can compare up to four models.')
  await expect(page.getByRole('button', { name: 'Compare 4 models' })).toBeEnabled()
})

test('the command palette starts a comparison', async ({ window: { open, page, composer } }) => {
  await open()
  await expect(composer).toBeFocused()
  await page.keyboard.press('Control+k')
  await page.keyboard.type('compare models')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('combobox', { name: 'Search models' })).toBeFocused()
  await expect(page.getByRole('button', { name: 'Compare', exact: true })).toBeVisible()
})

for (const colorScheme of ['light', 'dark'] as const) {
  test(`axe finds nothing serious in columns, and in tabs at 480 pixels, in ${colorScheme}`, async ({
    window: { open, page, mock },
  }) => {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    compared(mock)
    await open('#/chat/c1')
    await page.getByRole('button', { name: 'Show replies side by side' }).click()
    await expect(page.getByRole('article')).toHaveCount(3)
    expect(await axeFaults(page)).toEqual([])
    await page.setViewportSize({ width: 480, height: 800 })
    await expect(page.getByRole('tab')).toHaveCount(3)
    await page.getByRole('tab', { name: /Sandbox Large/ }).focus()
    await page.keyboard.press('ArrowRight')
    await expect(column(page, 'Essayist')).toBeVisible()
    expect(await axeFaults(page)).toEqual([])
  })
}
