import * as data from './mock-data.ts'
import { expect, test } from './window-test.ts'

const PARAGRAPH = 'The report binds a key to code that was measured before it ran. '.repeat(6).trim()

test.beforeEach(({ mock }) => {
  mock.state.conversations = [
    data.conversation(
      'c1',
      'Long',
      Date.now(),
      Array.from({ length: 40 }, (_, turn) => [
        `Question ${String(turn)}`,
        `Answer ${String(turn)}. ${PARAGRAPH}`,
      ]),
    ),
  ]
})

test('while a reply streams, the messages above aren’t rendered again, and its earlier text remains', async ({
  mock,
  window: { open, messages, page, composer },
}) => {
  await open('#/chat/c1')
  await expect(messages.getByText('Answer 39.')).toBeVisible()
  await composer.fill('Resume')
  await composer.press('Enter')
  const answer = await mock.nextAnswer()
  answer.delta('Generating the first words')
  const first = messages.getByText('Generating the first words')
  await expect(first).toBeVisible()
  // Marks the first text, and counts the rows that are added to the page or removed from it.
  await first.evaluate((element) => {
    element.setAttribute('data-first', '')
  })
  await messages.evaluate((scroller) => {
    const counted = { rows: 0 }
    Object.assign(globalThis, { counted })
    new MutationObserver((records) => {
      for (const { addedNodes } of records)
        for (const node of addedNodes)
          if (node instanceof HTMLElement && node.querySelector(':scope > article')) counted.rows++
    }).observe(scroller, { subtree: true, childList: true })
  })
  for (let turn = 0; turn < 8; turn++) {
    answer.delta(` and ${PARAGRAPH}\n\nPart ${String(turn)}`)
    await expect(messages.getByText(`Part ${String(turn)}`)).toBeInViewport()
    await page.evaluate(
      () =>
        new Promise((resolve) => {
          requestAnimationFrame(() => requestAnimationFrame(resolve))
        }),
    )
  }
  expect(await page.evaluate('counted.rows')).toBe(0)
  await expect(messages.locator('[data-first]')).toHaveText(`Generating the first words and ${PARAGRAPH}`)
  answer.end()
  await expect(messages.locator('[data-first]')).toHaveText(`Generating the first words and ${PARAGRAPH}`)
})
