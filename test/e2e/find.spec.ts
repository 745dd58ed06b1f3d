import type { Page } from '@playwright/test'
import * as data from './mock-data.ts'
import { expect, test } from './window-test.ts'

const now = Date.now()

/** The texts that a highlight covers at present. */
const highlighted = (page: Page, name: string) =>
  page.evaluate(
    (key) =>
      [...(CSS.highlights.get(key) ?? [])].map((range) => (range instanceof Range ? range.toString() : '')),
    name,
  )

test.describe('the search in a chat', () => {
  test.beforeEach(({ window: { mock } }) => {
    mock.state.conversations = [
      data.conversation(
        'c1',
        'Long',
        now,
        Array.from({ length: 300 }, (_, index) => [
          `Question ${String(index)}`,
          index % 100 === 7 ? 'A **nee**dle, and one more needle.' : `Answer ${String(index)}.`,
        ]),
      ),
    ]
  })

  test('visits all matches, also those far outside the view', async ({
    window: { open, messages, page, composer },
  }) => {
    await open('#/chat/c1')
    await expect(messages.getByText('Answer 299.')).toBeInViewport()
    await page.keyboard.press('Control+f')
    const field = page.getByRole('textbox', { name: 'Find in this chat' })
    const bar = page.getByRole('search', { name: 'Find in this chat' })
    await expect(field).toBeFocused()
    await field.fill('NEEDLE')
    // The search starts in view. Nothing follows there, so the first match of the chat is the current one.
    await expect(bar.getByRole('status')).toHaveText('1 of 6')
    await expect(messages.getByText('Question 7', { exact: true })).toBeInViewport()
    await expect.poll(() => highlighted(page, 'find-current')).toEqual(['needle'])
    await expect.poll(() => highlighted(page, 'find')).toEqual(['needle', 'needle'])
    await field.press('Enter')
    await expect(bar.getByRole('status')).toHaveText('2 of 6')
    await field.press('Enter')
    await expect(bar.getByRole('status')).toHaveText('3 of 6')
    await expect(messages.getByText('Question 107', { exact: true })).toBeInViewport()
    await bar.getByRole('button', { name: 'Previous match' }).click()
    await field.press('Shift+Enter')
    await field.press('Shift+Enter')
    await expect(bar.getByRole('status')).toHaveText('6 of 6')
    await expect(messages.getByText('Question 207', { exact: true })).toBeInViewport()
    await field.press('Escape')
    await expect(bar).toHaveCount(0)
    await expect(composer).toBeFocused()
    expect(await highlighted(page, 'find')).toEqual([])
  })

  test('shows that nothing matches, and also opens from the button and the palette', async ({
    window: { open, page },
  }) => {
    await open('#/chat/c1')
    await page.getByRole('button', { name: 'Find in this chat' }).click()
    const field = page.getByRole('textbox', { name: 'Find in this chat' })
    await field.fill('absent')
    await expect(page.getByRole('search', { name: 'Find in this chat' }).getByRole('status')).toHaveText(
      'No matches',
    )
    await page.getByRole('button', { name: 'Close search' }).click()
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox').fill('find in this chat')
    await page.keyboard.press('Enter')
    await expect(field).toBeFocused()
  })

  test('expands a long question that has the match', async ({ window: { open, page, mock, messages } }) => {
    mock.state.conversations = [
      data.conversation('c1', 'Log', now, [[`${'a line of a log\n'.repeat(400)}the last line`, 'Noted.']]),
    ]
    await open('#/chat/c1')
    await expect(messages.getByText('Noted.')).toBeVisible()
    await page.keyboard.press('Control+f')
    await page.getByRole('textbox', { name: 'Find in this chat' }).fill('the last line')
    await expect(page.getByRole('button', { name: 'Show less' })).toBeVisible()
    await expect.poll(() => highlighted(page, 'find-current')).toEqual(['the last line'])
  })

  test('finds the text of a message, and not its reasoning, tool calls, sources and files', async ({
    window: { open, page, mock, messages },
  }) => {
    const one = data.conversation('c1', 'Hay', now, [
      ['Where is the needle?', '<details><summary>The needle</summary>\n\nIn the hay.\n</details>'],
    ])
    const [question, reply] = one.messages
    if (!question || !reply) throw new Error('There is no message.')
    mock.state.conversations = [
      {
        ...one,
        messages: [
          {
            ...question,
            passages: [
              {
                id: 'p1',
                documentId: 'd1',
                document: 'needle.txt',
                place: { line: 1 },
                text: 'A needle.',
                tokens: 4,
              },
            ],
          },
          {
            ...reply,
            reasoning: 'needle needle',
            toolCalls: [{ name: 'find_needle', arguments: '{"a":"needle"}' }],
            citations: [{ url: 'https://a.example/needle', title: 'Hay', excerpt: 'A needle.' }],
          },
        ],
      },
    ]
    await open('#/chat/c1')
    await expect(messages.getByText('A needle.')).toBeVisible()
    await page.keyboard.press('Control+f')
    const field = page.getByRole('textbox', { name: 'Find in this chat' })
    await field.fill('needle')
    const count = page.getByRole('search').getByRole('status')
    const place = () =>
      page.evaluate(() => {
        const [range] = CSS.highlights.get('find-current') ?? []
        if (!(range instanceof Range)) return undefined
        return range.startContainer.parentElement?.closest('p, summary')?.textContent
      })
    await expect(count).toHaveText('1 of 2')
    await expect.poll(place).toBe('Where is the needle?')
    await field.press('Enter')
    await expect(count).toHaveText('2 of 2')
    await expect.poll(place).toBe('The needle')
    expect(await highlighted(page, 'find')).toEqual(['needle', 'needle'])
  })
})
