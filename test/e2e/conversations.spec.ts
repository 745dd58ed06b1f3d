import type { Page } from '@playwright/test'
import { axeFaults } from './axe.ts'
import * as data from './mock-data.ts'
import { failure } from './mock-server.ts'
import { expect, test } from './window-test.ts'
import { addToMessage } from './open-window.ts'

const now = Date.now()
const two = () =>
  data.conversation('c1', 'Rivers', now, [
    ['Which river is longest?', 'The Nile.'],
    ['And in Europe?', 'The Volga.'],
  ])
const asked = (calls: readonly { path: string; input: unknown }[], path: string) =>
  calls.filter((call) => call.path === path).map(({ input }) => input)
const articles = (page: Page) => page.getByRole('region', { name: 'Messages' }).getByRole('article')
const question = (page: Page, text: string) => articles(page).filter({ hasText: text }).first()

test('the last two chats stay in memory, except a long one, which loads again', async ({
  window: { open, page, mock, messages },
}) => {
  const makeReply = (name: string) => `The words of ${name}.`
  const texts = {
    long: `${makeReply('long')} ${'x'.repeat(100_000)}`,
    c1: makeReply('c1'),
    c2: makeReply('c2'),
    c3: makeReply('c3'),
  }
  mock.state.conversations = Object.entries(texts).map(([name, text]) =>
    data.conversation(name, `About ${name}`, now, [['Go on.', text]]),
  )
  const read = () =>
    asked(mock.calls, 'conversations.get').map(
      (input) => (input as { conversationId: string }).conversationId,
    )
  const goTo = async (name: string) => {
    await page.getByRole('link', { name: `About ${name}`, exact: true }).click()
    await expect(messages.getByText(makeReply(name))).toBeVisible()
  }
  await open()
  for (const name of ['c1', 'c2', 'c3', 'c1']) await goTo(name)
  expect(read()).toEqual(['c1', 'c2', 'c3'])
  for (const name of ['long', 'c1', 'long', 'c1']) await goTo(name)
  expect(read()).toEqual(['c1', 'c2', 'c3', 'long', 'long'])
})

test.describe('branches', () => {
  test('editing a question creates another branch, and the keyboard switches between them', async ({
    window: { open, page, mock, messages, composer },
  }) => {
    mock.state.conversations = [two()]
    await open('#/chat/c1')
    await question(page, 'And in Europe?').getByRole('button', { name: 'Edit message' }).click()
    const editor = page.getByRole('textbox', { name: 'Edit message' })
    await expect(editor).toBeFocused()
    await expect(editor).toHaveValue('And in Europe?')
    await editor.fill('And in Asia?')
    await editor.press('Enter')
    const answer = await mock.nextAnswer()
    expect(answer.input).toEqual({
      conversationId: 'c1',
      parentId: 'c1-a0',
      model: 'private/sandbox-large',
      text: 'And in Asia?',
    })
    answer.delta('The Yangtze.')
    answer.end()
    await expect(messages.getByText('The Yangtze.')).toBeVisible()
    await expect(messages.getByText('The Volga.')).toHaveCount(0)
    await expect(messages.getByText('Which river is longest?')).toBeVisible()
    await expect(composer).toBeFocused()

    const branches = messages.getByRole('group', { name: 'Branch 2 of 2' })
    await branches.getByRole('button', { name: 'Previous branch' }).focus()
    await page.keyboard.press('Enter')
    await expect(messages.getByText('The Volga.')).toBeVisible()
    await expect(messages.getByText('The Yangtze.')).toHaveCount(0)
    await expect(page.getByTestId('announcer')).toHaveText('Branch 1 of 2')
    await expect
      .poll(() => asked(mock.calls, 'conversations.show'))
      .toEqual([{ conversationId: 'c1', messageId: 'c1-q1' }])
    await expect(
      messages.getByRole('group', { name: 'Branch 1 of 2' }).getByRole('button', { name: 'Previous branch' }),
    ).toBeFocused()
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await expect(messages.getByText('The Yangtze.')).toBeVisible()

    // The next message follows the branch in view.
    await composer.fill('How long is it?')
    await composer.press('Enter')
    expect((await mock.nextAnswer()).input).toMatchObject({
      parentId: mock.state.conversations[0]?.messages.find(({ text }) => text === 'The Yangtze.')?.id,
      text: 'How long is it?',
    })
  })

  test('the next message continues the branch that is shown, also the older one', async ({
    window: { open, mock, composer, messages },
  }) => {
    const stored = two()
    stored.messages.push(
      {
        id: 'q-other',
        conversationId: 'c1',
        parentId: 'c1-a0',
        role: 'user',
        text: 'And in Asia?',
        state: 'complete',
        createdAt: now,
      },
      {
        id: 'a-other',
        conversationId: 'c1',
        parentId: 'q-other',
        role: 'assistant',
        text: 'The Yangtze.',
        state: 'complete',
        model: 'private/sandbox-large',
        privacy: 'sealed',
        createdAt: now,
      },
    )
    stored.conversation.leafId = 'c1-a1'
    mock.state.conversations = [stored]
    await open('#/chat/c1')
    await expect(messages.getByText('The Volga.')).toBeVisible()
    await composer.fill('Where does it end?')
    await composer.press('Enter')
    expect((await mock.nextAnswer()).input).toMatchObject({ parentId: 'c1-a1' })
  })

  test('Esc discards the edit, and arrow up in an empty composer edits the last question', async ({
    window: { open, page, mock, composer },
  }) => {
    mock.state.conversations = [two()]
    await open('#/chat/c1')
    await expect(question(page, 'And in Europe?')).toBeVisible()
    await expect(composer).toBeFocused()
    await page.keyboard.press('ArrowUp')
    const editor = page.getByRole('textbox', { name: 'Edit message' })
    await expect(editor).toBeFocused()
    await editor.fill('something else')
    await page.keyboard.press('Escape')
    await expect(editor).toHaveCount(0)
    await expect(question(page, 'And in Europe?').getByRole('button', { name: 'Edit message' })).toBeFocused()
    expect(asked(mock.calls, 'chat.send')).toEqual([])
  })

  test('editing a question above a long reply, or switching its branch, scrolls to it', async ({
    window: { open, page, mock, composer, messages },
  }) => {
    const long = Array.from({ length: 120 }, (_, index) => `Paragraph ${String(index)} of it.`).join('\n\n')
    const stored = data.conversation('c1', 'Long', now, [
      ['First?', 'Yes.'],
      ['Second?', long],
    ])
    stored.messages.push(
      {
        id: 'q-other',
        conversationId: 'c1',
        parentId: 'c1-a0',
        role: 'user',
        text: 'Otherwise?',
        state: 'complete',
        createdAt: now,
      },
      {
        id: 'a-other',
        conversationId: 'c1',
        parentId: 'q-other',
        role: 'assistant',
        text: `${long}\n\nThe other end.`,
        state: 'complete',
        model: 'private/sandbox-large',
        privacy: 'sealed',
        createdAt: now,
      },
    )
    stored.conversation.leafId = 'c1-a1'
    mock.state.conversations = [stored]
    await open('#/chat/c1')
    await expect(messages.getByText('Paragraph 119 of it.')).toBeInViewport()
    await expect(messages.getByText('Second?')).toHaveCount(0)
    await expect(composer).toBeFocused()
    await page.keyboard.press('ArrowUp')
    const editor = page.getByRole('textbox', { name: 'Edit message' })
    await expect(editor).toBeFocused()
    await expect(editor).toBeInViewport()
    await page.keyboard.press('Escape')
    await messages.getByRole('button', { name: 'Next branch' }).press('Enter')
    await expect(messages.getByText('Otherwise?')).toBeInViewport()
    await expect(messages.getByRole('button', { name: 'Next branch' })).toBeFocused()
    await page.getByRole('button', { name: 'Jump to latest' }).click()
    await expect(messages.getByText('The other end.')).toBeInViewport()
  })

  test('Regenerate adds a reply as another branch', async ({ window: { open, page, mock, messages } }) => {
    mock.state.conversations = [two()]
    await open('#/chat/c1')
    await articles(page).last().getByRole('button', { name: 'Regenerate' }).click()
    const answer = await mock.nextAnswer()
    expect(asked(mock.calls, 'chat.regenerate')).toEqual([
      { conversationId: 'c1', questionId: 'c1-q1', model: 'private/sandbox-large' },
    ])
    answer.delta('The Volga, with 3,531 km.')
    answer.end()
    await expect(messages.getByText('3,531 km')).toBeVisible()
    await expect(messages.getByRole('group', { name: 'Branch 2 of 2' })).toBeVisible()
    await expect(articles(page)).toHaveCount(4)
  })

  test('Continue on an interrupted reply sends a visible message', async ({
    window: { open, send, page, mock, messages },
  }) => {
    await open()
    const first = await send('Tell me')
    first.delta('The first half')
    first.end(
      { state: 'interrupted', errorCode: 'channel/response-truncated' },
      data.receipt('r1', now, { outcome: 'interrupted' }),
      failure('channel/response-truncated'),
    )
    await messages.getByRole('button', { name: 'Continue' }).click()
    const next = await mock.nextAnswer()
    expect(next.input).toMatchObject({
      text: 'Continue exactly where your last reply stopped.',
      parentId: mock.state.conversations[0]?.messages[1]?.id,
    })
    next.delta('and the second.')
    next.end()
    await expect(articles(page)).toHaveCount(4)
    await expect(messages.getByText('Continue exactly where')).toBeVisible()
    await expect(messages.getByText('The first half')).toBeVisible()
  })

  test('a message is deleted with all later ones, and Undo restores them', async ({
    window: { open, page, mock, messages },
  }) => {
    mock.state.conversations = [two()]
    await open('#/chat/c1')
    await question(page, 'And in Europe?').getByRole('button', { name: 'Delete message' }).press('Enter')
    await expect(messages.getByText('The Volga.')).toHaveCount(0)
    await expect(messages.getByText('The Nile.')).toBeVisible()
    const undo = page.getByTestId('undo').getByRole('button', { name: 'Undo' })
    await expect(undo).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(messages.getByText('The Volga.')).toBeVisible()
    await expect(page.getByTestId('undo')).toHaveCount(0)
  })

  test('private messages go to a model that isn’t private only after a question, also in a fork', async ({
    window: { open, page, mock, messages },
  }) => {
    const mixed = data.conversation('c1', 'Mixed', now, [['One', 'Two']], { private: false })
    mixed.messages.push(
      {
        id: 'q-sealed',
        conversationId: 'c1',
        role: 'user',
        text: 'Between us',
        state: 'complete',
        createdAt: now,
      },
      {
        id: 'a-sealed',
        conversationId: 'c1',
        role: 'assistant',
        text: 'Sure.',
        state: 'complete',
        model: 'private/sandbox-large',
        privacy: 'sealed',
        createdAt: now,
      },
    )
    mock.state.conversations = [mixed]
    await open('#/chat/c1')
    await expect(messages.getByText('Sure.')).toBeVisible()
    await expect(page.locator('form').getByText('This chat is private')).toBeVisible()
    await articles(page).last().getByRole('button', { name: 'Regenerate' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel' }).click()
    await articles(page).last().getByRole('button', { name: 'Branch from this reply' }).click()
    await expect(page.getByRole('heading', { name: 'Branch of Mixed' })).toBeVisible()
    await articles(page).last().getByRole('button', { name: 'Regenerate' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel' }).click()
    expect(asked(mock.calls, 'chat.regenerate')).toEqual([])
  })
})

test.describe('chats', () => {
  test('a deleted one can be restored for a limited time', async ({ window: { open, page, mock } }) => {
    mock.state.conversations = [two()]
    mock.state.undoMs = 1000
    await open('#/chat/c1')
    const list = page.getByRole('group', { name: 'Chats' })
    await list.getByRole('button', { name: 'More actions for Rivers' }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await expect(page.getByTestId('undo')).toContainText('“Rivers” deleted.')
    await expect(list.getByRole('link', { name: 'Rivers' })).toHaveCount(0)
    await expect(page.getByTestId('undo')).toHaveCount(0)
    expect(asked(mock.calls, 'conversations.remove')).toEqual([{ conversationId: 'c1' }])
    expect(asked(mock.calls, 'conversations.restore')).toEqual([])
  })

  test('a pinned one is first, on any day', async ({ window: { open, page, mock } }) => {
    // Midnight may have passed since the file was loaded.
    const now = Date.now()
    mock.state.conversations = [
      data.conversation('c1', 'New', now, [['a', 'b']]),
      data.conversation('c2', 'Old', now - 30 * 86_400_000, [['a', 'b']]),
    ]
    await open()
    const list = page.getByRole('group', { name: 'Chats' })
    await list.getByRole('button', { name: 'More actions for Old' }).click()
    await page.getByRole('menuitem', { name: 'Pin' }).click()
    await expect(list.getByRole('heading')).toHaveText(['Pinned', 'Today'])
    await expect(list.getByRole('link').first()).toContainText('Old')
    await list.getByRole('button', { name: 'More actions for Old' }).click()
    await page.getByRole('menuitem', { name: 'Unpin' }).click()
    await expect(list.getByRole('link').first()).toContainText('New')
  })

  test('branching from the palette copies what is shown', async ({
    window: { open, page, mock, composer, messages },
  }) => {
    mock.state.conversations = [two()]
    await open('#/chat/c1')
    await expect(composer).toBeFocused()
    await page.keyboard.press('Control+k')
    await page.keyboard.type('branch this')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('heading', { name: 'Branch of Rivers' })).toBeVisible()
    await expect(messages.getByText('The Volga.')).toBeVisible()
    expect(mock.state.conversations).toHaveLength(2)
  })

  test('settings of a new one are sent with its first message, and can be changed later', async ({
    window: { open, page, mock, send },
  }) => {
    mock.state.models = mock.state.models.map((model) =>
      model.id === 'private/sandbox-large' ? { ...model, supportedParameters: ['reasoning_effort'] } : model,
    )
    await open()
    await addToMessage(page, 'Change chat settings…')
    const dialog = page.getByRole('dialog', { name: 'Chat settings' })
    await dialog.getByLabel('System prompt').fill('Be brief.')
    await dialog.getByRole('textbox', { name: 'Temperature' }).fill('3')
    await dialog.getByLabel('Maximum reply tokens').fill('200')
    await dialog.getByLabel('Reasoning effort').selectOption('low')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await expect(dialog.getByText('Enter a number from 0 to 2.')).toBeVisible()
    await dialog.getByRole('textbox', { name: 'Temperature' }).fill('0.5')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await expect(dialog).toHaveCount(0)
    const answer = await send('Hello')
    expect(answer.input).toEqual({
      model: 'private/sandbox-large',
      text: 'Hello',
      begin: {
        systemPrompt: 'Be brief.',
        parameters: { temperature: 0.5, maxTokens: 200, reasoningEffort: 'low' },
      },
    })
    answer.end()
    await addToMessage(page, 'Change chat settings…')
    await expect(dialog.getByRole('textbox', { name: 'Temperature' })).toHaveValue('0.5')
    await dialog.getByRole('textbox', { name: 'Temperature' }).fill('')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await expect(dialog).toHaveCount(0)
    expect(asked(mock.calls, 'conversations.configure')).toMatchObject([
      { systemPrompt: 'Be brief.', parameters: { maxTokens: 200, reasoningEffort: 'low' } },
    ])
    expect(mock.state.conversations[0]?.conversation.parameters).not.toHaveProperty('temperature')
  })

  test('no reasoning effort is offered if the model lists none', async ({ window: { open, page } }) => {
    await open()
    await addToMessage(page, 'Change chat settings…')
    await expect(page.getByRole('dialog')).toContainText('lists no reasoning effort')
    await expect(page.getByLabel('Reasoning effort')).toHaveCount(0)
  })

  test('a temporary one is labeled as such, and ends with its window', async ({
    window: { open, page, mock, send },
  }) => {
    await open()
    await page.getByRole('switch', { name: 'Temporary chat' }).click()
    await expect(page.getByText('never saved')).toBeVisible()
    const answer = await send('Not to stay')
    expect(answer.input).toMatchObject({ begin: { temporary: true } })
    answer.delta('Gone soon.')
    answer.end()
    const list = page.getByRole('group', { name: 'Chats' })
    await expect(list.getByRole('link', { name: /Not to stay/ })).toContainText('Temporary')
    const mark = page.locator('form').getByText('Temporary')
    await expect(mark).toBeVisible()
    await expect(mark.locator('xpath=..').locator('svg')).toBeVisible()
    expect(
      await page.evaluate('JSON.stringify([Object.entries(localStorage), Object.entries(sessionStorage)])'),
    ).not.toContain('Not to stay')
    // The next chat is saved again.
    await page.getByRole('button', { name: 'New chat' }).click()
    await expect(page.getByRole('switch', { name: 'Temporary chat' })).not.toBeChecked()
    await page.reload()
    await expect.poll(() => mock.state.conversations.length).toBe(0)
  })
})

test.describe('layout', () => {
  test.use({ contextOptions: { reducedMotion: 'reduce' } })
  const screens: readonly { name: string; show: (page: Page) => Promise<void> }[] = [
    {
      name: 'branches and the editor',
      show: async (page) => {
        await question(page, 'Which river is longest?')
          .getByRole('button', { name: 'Edit message' })
          .press('Enter')
        await expect(page.getByRole('textbox', { name: 'Edit message' })).toBeFocused()
      },
    },
    {
      name: 'the settings',
      show: async (page) => {
        await addToMessage(page, 'Change chat settings…')
        await expect(page.getByRole('dialog')).toBeVisible()
      },
    },
    {
      name: 'what was deleted, and a temporary conversation',
      show: async (page) => {
        await articles(page).last().getByRole('button', { name: 'Delete reply' }).press('Enter')
        await expect(page.getByTestId('undo')).toBeVisible()
      },
    },
    {
      name: 'how one begins',
      show: async (page) => {
        await page.evaluate('location.hash = "#/chat"')
        await expect(page.getByRole('switch', { name: 'Temporary chat' })).toBeVisible()
      },
    },
  ]
  for (const { name, show } of screens) {
    test(`${name}: axe finds nothing serious in light and dark, and nothing scrolls sideways`, async ({
      window: { open, page, mock },
    }) => {
      const stored = two()
      stored.conversation.temporary = true
      stored.messages.push({
        id: 'other',
        conversationId: 'c1',
        parentId: 'c1-q1',
        role: 'assistant',
        text: 'The Danube.',
        state: 'interrupted',
        errorCode: 'service/interrupted',
        model: 'private/sandbox-large',
        privacy: 'sealed',
        createdAt: now,
      })
      mock.state.conversations = [stored]
      await open('#/chat/c1')
      await expect(articles(page)).toHaveCount(4)
      await show(page)
      for (const width of [1280, 480, 360]) {
        await page.setViewportSize({ width, height: 760 })
        for (const colorScheme of ['light', 'dark'] as const) {
          await page.emulateMedia({ colorScheme })
          expect(await axeFaults(page), `${String(width)} ${colorScheme}`).toEqual([])
        }
        expect(
          await page.evaluate(
            '[document.documentElement, document.body, document.querySelector("main")].filter((element) => element.scrollWidth > element.clientWidth).map((element) => element.tagName)',
          ),
        ).toEqual([])
      }
    })
  }
})
