import type { Locator, Page } from '@playwright/test'
import * as data from './mock-data.ts'
import { expect, test } from './window-test.ts'

/** More frames than any search leads the reader. */
const manyFrames = (page: Page) =>
  page.evaluate(async () => {
    for (let frame = 0; frame < 150; frame += 1)
      await new Promise((resolve) => requestAnimationFrame(resolve))
  })

const topOf = (messages: Locator) => messages.evaluate((element) => element.scrollTop)

test.beforeEach(({ window: { mock } }) => {
  const answer = Array.from({ length: 8 }, (_, at) => `Paragraph ${String(at)} of the answer.`).join('\n\n')
  mock.state.conversations = [
    data.conversation(
      'c1',
      'Rivers',
      Date.now(),
      Array.from({ length: 40 }, (_, at) => [
        `Question ${String(at)}`,
        at === 0 ? `The first answer.\n\n<!-- a remark -->\n\n${answer}` : answer,
      ]),
    ),
  ]
})

test('a reader who scrolled away from a match stays in place when a reply ends', async ({
  window: { open, page, send, messages },
}) => {
  await open('#/chat/c1')
  const answer = await send('Tell me')
  answer.delta('A first line.')
  await expect(messages.getByText('A first line.')).toBeInViewport()
  await page.keyboard.press('Control+f')
  await page.getByRole('textbox', { name: 'Find in this chat' }).fill('question 0')
  await expect(messages.getByText('Question 0', { exact: true })).toBeInViewport()
  await manyFrames(page)
  await messages.hover()
  await page.mouse.wheel(0, 400)
  await expect.poll(() => topOf(messages)).toBeGreaterThanOrEqual(400)
  const top = await topOf(messages)
  answer.end()
  await expect(page.getByRole('button', { name: 'Jump to latest' })).toBeVisible()
  await manyFrames(page)
  expect(await topOf(messages)).toBe(top)
})

test('a reader who scrolls isn’t led to a match any more', async ({ window: { open, page, messages } }) => {
  await open('#/chat/c1')
  await expect(messages.getByText('Question 39', { exact: true })).toBeInViewport()
  await page.keyboard.press('Control+f')
  // The page doesn't show remarks, so the search doesn't find its place.
  await page.getByRole('textbox', { name: 'Find in this chat' }).fill('a remark')
  await expect(messages.getByText('The first answer.')).toBeInViewport()
  await messages.hover()
  await page.mouse.wheel(0, 2000)
  await expect.poll(() => topOf(messages)).toBeGreaterThanOrEqual(1500)
  await manyFrames(page)
  expect(await topOf(messages)).toBeGreaterThanOrEqual(1500)
})

test('a reader stays in place when the first match arrives in a reply', async ({
  window: { open, page, send, messages },
}) => {
  await open('#/chat/c1')
  const answer = await send('Tell me')
  answer.delta('A needle.')
  await expect(messages.getByText('A needle.')).toBeInViewport()
  await messages.focus()
  await page.keyboard.press('Home')
  await expect(messages.getByText('Question 0', { exact: true })).toBeInViewport()
  await page.keyboard.press('Control+f')
  await page.getByRole('textbox', { name: 'Find in this chat' }).fill('needle')
  const count = page.getByRole('search').getByRole('status')
  await expect(count).toHaveText('No matches')
  answer.end()
  await expect(count).toHaveText('1 of 1')
  await manyFrames(page)
  expect(await topOf(messages)).toBe(0)
  await page.keyboard.press('Enter')
  await expect(messages.getByText('A needle.')).toBeInViewport()
})
