import { axeFaults } from './axe.ts'
import * as data from './mock-data.ts'
import { longChat } from './screens/long-chat.ts'
import { expect, test } from './window-test.ts'

const now = Date.now()

test('a chat that is too long is reported before it’s sent, and the oldest messages can be left out', async ({
  window: { open, page, mock, messages, composer },
}) => {
  longChat(mock)
  await open('#/chat/long')
  const note = page.getByTestId('context-overflow')
  await expect(note).toContainText('This chat is too long for Sandbox Small')
  await expect(note).toContainText('Sandbox Small writes the summary. Estimate:')
  // A private chat is offered no model that the service or its provider could read.
  await expect(note.getByRole('button', { name: /^Use / })).toHaveText(['Use Sandbox Large'])
  expect(await axeFaults(page, 'main')).toEqual([])

  await note.getByRole('button', { name: /^Leave out \d+ messages$/ }).click()
  await expect(note).toHaveCount(0)
  await expect(composer).toBeFocused()
  const cut = mock.calls.findLast(({ path }) => path === 'conversations.trim')?.input
  expect(cut).toMatchObject({ conversationId: 'long', messageId: expect.stringMatching(/^long-a\d+$/) })
  const mark = messages.getByTestId('context-cut')
  await expect(mark).toContainText('The model doesn’t get the messages above.')
  expect(await axeFaults(page, 'main')).toEqual([])
  await mark.getByRole('button', { name: 'Send all messages' }).click()
  await expect(mark).toHaveCount(0)
  await expect(note).toBeVisible()
})

test('the oldest messages can be replaced with a summary, which the chat shows', async ({
  window: { open, page, mock, messages },
}) => {
  longChat(mock)
  await open('#/chat/long')
  await page.getByRole('button', { name: /^Summarize \d+ messages$/ }).click()
  await expect(page.getByTestId('context-overflow')).toHaveCount(0)
  expect(mock.calls.findLast(({ path }) => path === 'chat.summarize')?.input).toMatchObject({
    conversationId: 'long',
    model: 'private/sandbox-small',
  })
  const mark = messages.getByTestId('context-cut')
  await expect(mark).toContainText('The model gets a summary of the messages above.')
  await mark.getByText('Summary', { exact: true }).click()
  await expect(mark).toContainText('We planned a house with three rooms.')
})

test('a summary shows its progress, continues while another chat is open, and can be stopped', async ({
  window: { open, page, mock },
}) => {
  longChat(mock)
  const writing = Promise.withResolvers<undefined>()
  mock.state.summary = writing.promise
  await open('#/chat/long')
  const note = page.getByTestId('context-overflow')
  const start = note.getByRole('button', { name: /^Summarize \d+ messages$/ })
  await start.click()
  await expect(note).toContainText('About 120 tokens written')
  await expect(note.getByRole('button', { name: 'Summarizing…' })).toHaveAttribute('aria-busy', 'true')
  expect(await axeFaults(page, 'main')).toEqual([])
  await page.getByRole('button', { name: 'New chat' }).click()
  await expect(note).toHaveCount(0)
  await page.evaluate(`location.hash = '#/chat/long'`)
  await expect(note).toContainText('About 120 tokens written')

  await note.getByRole('button', { name: 'Stop summary' }).click()
  await expect(note).toContainText('Stopped. Nothing was saved.')
  await expect(start).toBeVisible()
  writing.resolve(undefined)
  mock.state.summary = Promise.resolve()
  await start.click()
  await expect(note).toHaveCount(0)
})

test('a private chat can’t be summarized by a model that isn’t private', async ({
  window: { open, page, mock },
}) => {
  longChat(mock)
  await open('#/chat/long')
  const note = page.getByTestId('context-overflow')
  await note.getByRole('button', { name: 'Use Sandbox Large' }).click()
  await expect(note).toHaveCount(0)
  await page.getByRole('button', { name: 'Model: Sandbox Large' }).click()
  await page.getByRole('option', { name: /Echo/ }).click()
  await expect(note).toContainText('This chat is too long for Echo')
  await expect(note.getByRole('button', { name: /^Leave out/ })).toBeVisible()
  await expect(note.getByRole('button', { name: /^Summarize/ })).toHaveCount(0)
})

test('a draft that is too long without earlier messages offers only models with a longer context', async ({
  window: { open, page, mock, composer },
}) => {
  mock.state.conversations = [data.conversation('c1', 'Short', now, [['Hello', 'Hi']], { private: false })]
  await open('#/chat/c1')
  await composer.fill('one '.repeat(20_000))
  const note = page.getByTestId('context-overflow')
  await expect(note).toContainText('This chat is too long for Echo')
  await expect(note.getByRole('button')).toHaveText(['Use Sandbox Small', 'Use Sandbox Large'])
})

test('a chat that was summarized while another was open begins at its end', async ({
  window: { open, page, mock, messages },
}) => {
  longChat(mock)
  const writing = Promise.withResolvers<undefined>()
  mock.state.summary = writing.promise
  await open('#/chat/long')
  await page.getByRole('button', { name: /^Summarize \d+ messages$/ }).click()
  await expect(page.getByTestId('context-overflow')).toContainText('About 120 tokens written')
  await page.getByRole('button', { name: 'New chat' }).click()
  writing.resolve(undefined)
  await expect(page.getByTestId('announcer')).toHaveText('Summary saved.')
  await page.evaluate(`location.hash = '#/chat/long'`)
  await expect(messages).toBeVisible()
  await page.waitForTimeout(500)
  await expect(page.getByRole('button', { name: 'Jump to latest' })).toBeHidden()
})
