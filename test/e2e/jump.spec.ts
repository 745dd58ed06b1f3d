import type { Locator } from '@playwright/test'
import { conversation } from './mock-data.ts'
import { expect, test } from './window-test.ts'

const paragraphs = (from: number, count: number) =>
  Array.from({ length: count }, (_, index) => `Paragraph ${String(from + index)} of the answer.\n\n`).join('')
const topOf = (messages: Locator) => messages.evaluate((element) => element.scrollTop)

test.beforeEach(({ window: { mock } }) => {
  mock.state.conversations = [
    conversation(
      'c1',
      'Rivers',
      Date.now(),
      Array.from({ length: 40 }, (_, at) => [`Question ${String(at)}`, paragraphs(at, 8)]),
    ),
  ]
})

const lines = (from: number, count: number) =>
  Array.from({ length: count }, (_, index) => `Line ${String(from + index)} of the reply.\n\n`).join('')

test('a reader who went to the first message while a reply grows can scroll', async ({
  window: { open, page, send, messages },
}) => {
  await open('#/chat/c1')
  const answer = await send('Tell me')
  answer.delta(lines(0, 40))
  await expect(messages.getByText('Line 39 of')).toBeInViewport()
  await messages.focus()
  await page.keyboard.press('Home')
  await expect(messages.getByText('Question 0', { exact: true })).toBeInViewport()
  answer.delta(lines(40, 1))
  await messages.hover()
  await page.mouse.wheel(0, 400)
  await expect.poll(() => topOf(messages)).toBeGreaterThanOrEqual(400)
  const top = await topOf(messages)
  // The reply grows with every one of these.
  for (let at = 41; at < 50; at += 1) {
    answer.delta(lines(at, 1))
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)))
    expect(await topOf(messages)).toBe(top)
  }
})

test('a reader who went to the first message while a reply grows can follow it again at once', async ({
  window: { open, page, send, messages },
}) => {
  await open('#/chat/c1')
  const answer = await send('Tell me')
  for (let at = 0; at < 100; at += 20) {
    answer.delta(lines(at, 20))
    await expect(messages.getByText(`Line ${String(at + 19)} of`)).toBeInViewport()
    await messages.focus()
    await page.keyboard.press('Home')
    await page.getByRole('button', { name: 'Follow reply' }).click()
  }
  answer.delta(lines(100, 1))
  await expect(messages.getByText('Line 100 of')).toBeInViewport()
})
