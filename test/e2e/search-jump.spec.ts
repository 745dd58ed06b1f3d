import type { Page } from '@playwright/test'
import { conversation } from './mock-data.ts'
import { field, found } from './screens/library-screens.ts'
import { expect, test } from './window-test.ts'

const TURNS = 150
/** Replies of different heights, so that estimates of rows far away are wrong. */
const reply = (at: number) =>
  Array.from({ length: 1 + ((at * 7) % 12) }, (_, line) => `Line ${String(line)} of reply ${String(at)}.`)
    .join('\n\n')
    .concat(at % 5 === 0 ? '\n\n```ts\nconst river = 1\n```' : '')

const soughtQuestions: Readonly<Record<number, string>> = {
  6: 'What is a meander?',
  147: 'What is an oxbow?',
}
const question = (at: number) => soughtQuestions[at] ?? `Question ${String(at)}`
const last = (page: Page) => page.getByText(`Question ${String(TURNS - 1)}`, { exact: true })

test.beforeEach(({ window: { mock } }) => {
  const now = Date.now()
  mock.state.conversations = [
    conversation(
      'rivers',
      'Rivers',
      now,
      Array.from({ length: TURNS }, (_, at) => [question(at), reply(at)]),
    ),
    conversation('tea', 'Tea', now - 1000, [['Which kettle?', 'A quiet one.']]),
  ]
})

async function find(page: Page, word: string): Promise<void> {
  await field(page).fill(word)
  await expect(found(page)).toHaveCount(1)
  await field(page).press('Enter')
  await expect(page).toHaveURL(/#\/chat\/rivers$/)
}

/** The message is in view, also after the rows near it have their heights. */
async function staysInView(page: Page, text: string): Promise<void> {
  const message = page.getByRole('region', { name: 'Messages' }).getByText(text, { exact: true })
  await expect(message).toBeInViewport()
  await page.waitForTimeout(700)
  await expect(message).toBeInViewport({ timeout: 1 })
}

const places = {
  'another chat': { place: '#/chat/tea', shown: 'A quiet one.' },
  'the same chat': { place: '#/chat/rivers', shown: question(TURNS - 1) },
  'another view': { place: '#/settings', shown: 'Appearance' },
}
for (const at of [6, 147])
  for (const [name, { place, shown }] of Object.entries(places))
    test(`a search from ${name} that found message ${String(2 * at)} shows the message`, async ({
      window: { open, page },
    }) => {
      await open(place)
      await expect(page.getByText(shown, { exact: true }).first()).toBeInViewport()
      await find(page, question(at))
      await staysInView(page, question(at))
    })

test('a chat in which a message was found begins at its end when it is opened again', async ({
  window: { open, page },
}) => {
  await open('#/chat/tea')
  await expect(page.getByText('A quiet one.')).toBeVisible()
  await find(page, 'meander')
  await staysInView(page, question(6))
  await field(page).press('Escape')
  await page.getByRole('link', { name: 'Tea' }).click()
  await expect(page.getByText('A quiet one.')).toBeVisible()
  await page.getByRole('link', { name: 'Rivers' }).click()
  await expect(last(page)).toBeInViewport()
})

test('a reply that arrives doesn’t take the reader away from the message that was found', async ({
  window: { open, page, mock, send, messages },
}) => {
  await open('#/chat/rivers')
  await expect(last(page)).toBeInViewport()
  const answer = await send('Tell me')
  answer.delta('A first line.')
  await expect(messages.getByText('A first line.')).toBeInViewport()
  // Also the beginning of the reply, which this window learns only when it has loaded the chat again.
  for (const reload of [false, true]) {
    await page.getByRole('link', { name: 'Tea' }).click()
    if (reload) await page.reload()
    await expect(page.getByText('A quiet one.')).toBeVisible()
    await find(page, 'meander')
    await staysInView(page, question(6))
    await field(page).press('Escape')
  }
  answer.delta('A second line.')
  await staysInView(page, question(6))
  expect(mock.calls.filter(({ path }) => path === 'chat.send')).toHaveLength(1)
})

test('a search shows the message that was found in place of replies side by side', async ({
  window: { open, page, mock },
}) => {
  const rivers = mock.state.conversations.find(({ conversation: { id } }) => id === 'rivers')?.messages
  const end = rivers?.at(-1)
  if (end) rivers?.push({ ...end, id: 'other', parentId: `rivers-q${String(TURNS - 1)}`, text: 'Another.' })
  await open('#/chat/rivers')
  await page.getByRole('button', { name: 'Show replies side by side' }).click()
  await expect(page.getByRole('heading', { name: 'Side by side' })).toBeVisible()
  await find(page, 'meander')
  await staysInView(page, question(6))
})
