import type { Page } from '@playwright/test'
import * as data from './mock-data.ts'
import { failure } from './mock-server.ts'
import { expect, test } from './window-test.ts'

const now = Date.now()
const refused = failure('attestation/failed', { step: 'measurement/match', stepCode: 'measurement/mismatch' })

test.describe('one message', () => {
  test('is sent by Enter, but not by Shift+Enter or the Enter of an input method', async ({
    window: { open, page, composer, mock, messages },
  }) => {
    await open()
    await composer.pressSequentially('One')
    await composer.press('Shift+Enter')
    await composer.pressSequentially('Two')
    await composer.dispatchEvent('keydown', { key: 'Enter', isComposing: true, bubbles: true })
    expect(mock.calls.filter(({ path }) => path === 'chat.send')).toEqual([])
    await composer.press('Enter')
    const answer = await mock.nextAnswer()
    expect(answer.input).toEqual({ model: 'private/sandbox-large', text: 'One\nTwo' })
    await expect(composer).toHaveValue('')
    await expect(composer).toBeFocused()
    await expect(messages.getByText('One\nTwo')).toBeVisible()
    await expect(page).toHaveURL(/#\/chat\/c-/)
  })

  test('shows its stage, then the reply, then its cost and who could read it', async ({
    window: { open, send, page, messages, mock },
  }) => {
    await open()
    const answer = await send('Hello')
    for (const [stage, word] of [
      ['proving', 'Verifying the enclave…'],
      ['sealing', 'Sealing…'],
      ['sending', 'Sending…'],
      ['waiting', 'Waiting for the first word…'],
    ] as const) {
      answer.stage(stage)
      await expect(page.getByTestId('stage')).toContainText(word)
    }
    answer.delta('Hello **to')
    await expect(messages.getByText('Hello **to')).toBeVisible()
    await expect(page.getByTestId('stage')).toHaveCount(0)
    answer.delta(' you**.')
    await expect(messages.locator('strong')).toHaveText('to you')
    const receipt = data.receipt('r1', now)
    mock.state.receipts.push(receipt)
    answer.end({}, receipt)
    await expect(messages.getByText('0.13518¢')).toBeVisible()
    await messages.getByRole('button', { name: /Private.*Receipt/ }).click()
    await expect(page.getByRole('dialog', { name: 'Receipt' })).toContainText(
      receipt.requestDigest?.slice(0, 8) ?? '',
    )
    await page.keyboard.press('Escape')
    await expect(messages.getByRole('button', { name: /Private.*Receipt/ })).toBeFocused()
  })

  test('shows that the enclave is verified as soon as the message is sealed', async ({
    window: { open, send, page, mock },
  }) => {
    await open()
    const privacy = page.getByRole('link', { name: /^Privacy/ })
    await expect(privacy).toContainText('not verified')
    const answer = await send('Hello')
    answer.stage('proving')
    mock.state.verdict = data.goodVerdict(Date.now())
    answer.stage('sealing')
    answer.delta('The reply')
    await expect(privacy).not.toContainText('not verified')
    await expect(privacy).toContainText('verified')
  })

  test('shows the reasoning until the reply begins', async ({ window: { open, send, messages } }) => {
    await open()
    const answer = await send('Hello')
    answer.reasoning('First I count the words.')
    await expect(messages.getByText('First I count the words.')).toBeVisible()
    await expect(messages.getByText('Thinking…')).toBeVisible()
    answer.delta('Two.')
    await expect(messages.getByText('Two.')).toBeVisible()
    await expect(messages.getByText('First I count the words.')).toBeHidden()
    await messages.getByText('Reasoning').click()
    await expect(messages.getByText('First I count the words.')).toBeVisible()
  })

  test('is stopped at the source by Esc, and the received text stays', async ({
    window: { open, send, page, messages },
  }) => {
    await open()
    const answer = await send('Hello')
    answer.delta('As far as')
    await expect(messages.getByText('As far as')).toBeVisible()
    await page.keyboard.press('Escape')
    await answer.stopped
    await expect(messages.getByText('Stopped here.')).toBeVisible()
    await expect(messages.getByText('As far as')).toBeVisible()
    await expect(page.getByRole('button', { name: 'Send', exact: true })).toBeVisible()
  })

  test('continues when Esc closes a dialog', async ({ window: { open, send, page, messages } }) => {
    await open()
    const answer = await send('Hello')
    answer.delta('Resuming')
    await expect(messages.getByText('Resuming')).toBeVisible()
    await page.getByRole('button', { name: /^Model/ }).click()
    await page.keyboard.press('Escape')
    await expect(page.getByRole('listbox', { name: 'Models' })).toHaveCount(0)
    answer.delta(' still')
    await expect(messages.getByText('Resuming still')).toBeVisible()
  })

  test('continues in the background while another view is open', async ({
    window: { open, send, page, messages },
  }) => {
    await open()
    const answer = await send('Hello')
    await page.getByRole('link', { name: /Privacy/ }).click()
    answer.delta('While you were away.')
    answer.end()
    await page.getByRole('button', { name: 'New chat' }).click()
    await page.getByRole('link', { name: 'Hello' }).click()
    await expect(messages.getByText('While you were away.')).toBeVisible()
  })
})

test.describe('failures', () => {
  test('a refusal shows that nothing was sent, the reason and the next step, and leads to the verification', async ({
    window: { open, send, page, messages, mock },
  }) => {
    await open()
    const answer = await send('Secret')
    answer.stage('proving')
    mock.state.verdict = data.refusedVerdict(now)
    answer.end(
      { state: 'failed', privacy: 'refused', errorCode: 'attestation/failed' },
      data.refusedReceipt('r1', now),
      refused,
    )
    const note = messages.getByRole('note')
    for (const part of ['Nothing was sent', 'Open Privacy', 'attestation/failed', 'measurement/match'])
      await expect(note).toContainText(part)
    await expect(
      messages.getByRole('article', { name: /^Reply from/ }).locator('[data-privacy="refused"]'),
    ).toHaveText('Blocked')
    await note.getByRole('button', { name: 'View verification' }).click()
    await expect(page.getByRole('heading', { name: 'Blocked' })).toBeVisible()
  })

  test('a refusal is shown after a reload, from its saved code', async ({
    window: { open, send, page, messages },
  }) => {
    await open()
    const answer = await send('Secret')
    answer.end(
      { state: 'failed', privacy: 'refused', errorCode: 'attestation/failed' },
      data.refusedReceipt('r1', now),
      refused,
    )
    await expect(messages.getByRole('note')).toBeVisible()
    await page.reload()
    await expect(messages.getByRole('note')).toContainText('Nothing was sent')
  })

  test('the received part of an interrupted reply stays, and the message can be sent again', async ({
    window: { open, send, messages, mock },
  }) => {
    await open()
    const answer = await send('Tell me')
    answer.delta('The first half')
    answer.end(
      { state: 'interrupted', errorCode: 'channel/response-truncated' },
      data.receipt('r1', now, { outcome: 'interrupted' }),
      failure('channel/response-truncated'),
    )
    await expect(messages.getByText('The first half')).toBeVisible()
    await expect(messages.getByRole('note')).toContainText('cut off in transit')
    await messages.getByRole('button', { name: 'Try again' }).click()
    const again = await mock.nextAnswer()
    expect(again.input).toMatchObject({ text: 'Tell me', model: 'private/sandbox-large' })
    expect(again.input.conversationId).toBe(mock.state.conversations[0]?.conversation.id)
  })

  test('a broken connection leaves the received text, and shows the failure', async ({
    window: { open, send, messages },
  }) => {
    await open()
    const answer = await send('Tell me')
    answer.delta('The first half')
    await expect(messages.getByText('The first half')).toBeVisible()
    answer.cut()
    await expect(messages.getByText('The first half')).toBeVisible()
    await expect(messages.getByRole('note')).toBeVisible()
    await expect(messages.getByRole('button', { name: 'Try again' })).toBeVisible()
  })

  test('a message that couldn’t be sent stays in the composer', async ({
    window: { open, page, composer, mock },
  }) => {
    mock.state.failures['chat.send'] = failure('service/no-account')
    await open()
    await composer.fill('Do not lose me')
    await composer.press('Enter')
    await expect(page.getByRole('alert')).toContainText('No account at the service is connected')
    await expect(composer).toHaveValue('Do not lose me')
  })

  test('an Enter before the models are loaded waits for them, and sends only to a private model', async ({
    window: { open, page, composer, mock },
  }) => {
    let list = (): void => undefined
    mock.state.beforeModels = () =>
      new Promise((resolve) => {
        list = resolve
      })
    await open()
    await composer.fill('Early')
    await composer.press('Enter')
    await expect(page.getByRole('button', { name: 'Loading models…' })).toBeVisible()
    list()
    expect((await mock.nextAnswer()).input).toEqual({ model: 'private/sandbox-large', text: 'Early' })

    mock.state.models = mock.state.models.filter((model) => !model.private)
    await page.reload()
    await page.getByRole('button', { name: 'New chat' }).click()
    // The field of the earlier chat is gone.
    await expect(page.getByRole('heading', { level: 1, name: 'Try a private chat' })).toBeVisible()
    await composer.fill('Not to be read')
    await composer.press('Enter')
    await expect(page.getByRole('button', { name: 'Loading models…' })).toBeVisible()
    list()
    await expect(page.locator('form').getByText('Visible')).toBeVisible()
    await expect(composer).toHaveValue('Not to be read')
    expect(mock.calls.filter(({ path }) => path === 'chat.send')).toHaveLength(1)
  })

  test('a failure to load the models is shown, and they can be loaded again', async ({
    window: { open, page, mock },
  }) => {
    mock.state.failures['models.list'] = failure('service/unreachable')
    await open()
    await expect(page.getByRole('alert')).toContainText('The service can’t be reached')
    delete mock.state.failures['models.list']
    await page.getByRole('button', { name: 'Refresh models' }).click()
    await expect(page.getByRole('button', { name: 'Model: Sandbox Large' })).toBeVisible()
  })

  test('a failure to load the chats is shown, and they can be loaded again', async ({
    window: { open, page, mock },
  }) => {
    mock.state.failures['conversations.list'] = failure('store/damaged')
    await open()
    const list = page.getByRole('group', { name: 'Chats' })
    await expect(list).toContainText('The data folder can’t be read')
    delete mock.state.failures['conversations.list']
    await list.getByRole('button', { name: 'Try again' }).click()
    await expect(list).toContainText('No chats yet')
  })
})

test.describe('the choice of a model', () => {
  test('lists private models first, with prices, and works by search and by keyboard', async ({
    window: { open, page, send, composer },
  }) => {
    await open()
    await expect(page.getByText('Sealed to the verified enclave, or not sent.')).toBeVisible()
    await page.getByRole('button', { name: /^Model/ }).click()
    const options = page.getByRole('option')
    await expect(options).toHaveText([
      /Sandbox Large.*\$0.90 in · \$2.70 out per million tokens, 131K context/,
      /Sandbox Small/,
      /Echo/,
      /Essayist.*price not reported/,
    ])
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('button', { name: 'Model: Sandbox Small' })).toBeVisible()
    await page.getByRole('button', { name: /^Model/ }).click()
    await page.keyboard.type('essay')
    await page.keyboard.press('Enter')
    await expect(page.locator('form [data-privacy="forwarded"]').getByText('Visible')).toBeVisible()
    await composer.fill('x')
    await expect(page.getByText('Price not reported')).toBeVisible()
    expect((await send('x')).input.model).toContain('essayist')
  })

  test('announces in a private chat that a model which the service can read needs consent each time', async ({
    window: { open, page, mock },
  }) => {
    mock.state.conversations = [data.conversation('c1', 'Private', now, [['a', 'b']])]
    await open('#/chat/c1')
    await page.getByRole('button', { name: /^Model/ }).click()
    const readable = page.getByRole('group', { name: 'Visible' })
    await expect(readable).toContainText('Sotto shows what they can read and asks you to allow it')
    await readable.getByRole('option', { name: /Echo/ }).click()
    await expect(page.getByRole('button', { name: 'Send non-privately…' })).toBeVisible()
    await expect(page.locator('form[data-privacy="forwarded"]')).toBeVisible()
  })

  test('refuses a private model without a policy before anything is typed', async ({
    window: { open, page, composer, mock },
  }) => {
    const status = data.serviceStatus()
    mock.state.status = { ...status, service: { ...status.service, hasPolicy: false } }
    mock.state.conversations = [data.conversation('c1', 'Private', now, [['a', 'b']])]
    await open('#/chat/c1')
    await expect(
      page.locator('form').getByText('This service’s enclave has no attestation policy'),
    ).toBeVisible()
    await composer.fill('x')
    await composer.press('Enter')
    await expect(page.getByRole('button', { name: 'Send', exact: true })).toBeDisabled()
    expect(mock.calls.some(({ path }) => path === 'chat.send')).toBe(false)
  })
})

test.describe('chats', () => {
  test('are listed by day with their privacy, renamed, and deleted with an undo', async ({
    window: { open, page, mock },
  }) => {
    // Midnight may have passed since the file was loaded.
    const now = Date.now()
    mock.state.conversations = [
      data.conversation('c1', 'First', now, [['a', 'b']]),
      data.conversation('c2', 'Second', now - 3 * 86_400_000, [['a', 'b']], { private: false }),
    ]
    await open('#/chat/c1')
    const list = page.getByRole('group', { name: 'Chats' })
    await expect(list.getByRole('heading')).toHaveText(['Today', 'This week'])
    await list.getByRole('button', { name: 'More actions for First' }).click()
    await page.getByRole('menuitem', { name: 'Rename' }).click()
    await page.getByLabel('Title').fill('Renamed')
    await page.keyboard.press('Enter')
    await expect(list.getByRole('link', { name: 'Renamed' })).toBeVisible()
    await list.getByRole('button', { name: 'More actions for Renamed' }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await expect(list.getByRole('link', { name: 'Renamed' })).toHaveCount(0)
    await expect(page.getByRole('heading', { name: 'Try a private chat' })).toBeVisible()
    await page.getByTestId('undo').getByRole('button', { name: 'Undo' }).click()
    await expect(list.getByRole('link', { name: 'Renamed' })).toBeVisible()
  })

  test('have separate drafts', async ({ window: { open, page, composer, mock } }) => {
    mock.state.conversations = [
      data.conversation('c1', 'First', now, [['a', 'b']]),
      data.conversation('c2', 'Second', now - 1, [['a', 'b']]),
    ]
    await open('#/chat/c1')
    await composer.fill('for the first')
    await page.getByRole('link', { name: 'Second' }).click()
    await expect(composer).toHaveValue('')
    await page.getByRole('link', { name: 'First' }).click()
    await expect(composer).toHaveValue('for the first')
  })

  test('a long one opens at its end, and only messages near the view are rendered', async ({
    window: { open, messages, page, mock },
  }) => {
    mock.state.conversations = [
      data.conversation(
        'c1',
        'Long',
        now,
        Array.from({ length: 1000 }, (_, index) => [
          `Question ${String(index)}`,
          `Answer ${String(index)}.\n\nWith two paragraphs.`,
        ]),
      ),
    ]
    await open('#/chat/c1')
    await expect(messages.getByText('Answer 999.')).toBeInViewport()
    expect(await messages.getByRole('article').count()).toBeLessThan(100)
    await messages.focus()
    await page.keyboard.press('Home')
    await expect(messages.getByText('Question 0', { exact: true })).toBeInViewport()
    await page.getByRole('button', { name: 'Jump to latest' }).click()
    await expect(messages.getByText('Answer 999.')).toBeInViewport()
  })
})

test('a long question is collapsed, and expands on request', async ({
  window: { open, messages, page, mock },
}) => {
  mock.state.conversations = [
    data.conversation('c1', 'Log', now, [
      [`${'a line of a log\n'.repeat(400)}the last line`, 'Noted.'],
      ...Array.from({ length: 100 }, (_, index): [string, string] => [
        `Question ${String(index)}`,
        'Answer.',
      ]),
    ]),
  ]
  await open('#/chat/c1')
  const question = messages.getByRole('article', { name: 'You' }).filter({ hasText: 'a line of a log' })
  const height = () => question.evaluate((element) => element.getBoundingClientRect().height)
  await messages.focus()
  await page.keyboard.press('Home')
  expect(await height()).toBeLessThan(400)
  await page.getByRole('button', { name: 'Show more' }).click()
  await expect.poll(height).toBeGreaterThan(5000)
  // The list removes the row while it is out of view.
  await page.getByRole('button', { name: 'Jump to latest' }).click()
  await expect(question).toHaveCount(0)
  await messages.focus()
  await page.keyboard.press('Home')
  await expect.poll(height).toBeGreaterThan(5000)
})

test('messages have most of the window, also at 200 % zoom and with a draft', async ({
  window: { open, page, mock, composer, messages },
}) => {
  mock.state.conversations = [data.conversation('c1', 'Rivers', now, [['a', 'b']])]
  await page.setViewportSize({ width: 1280, height: 800 })
  await open('#/chat/c1')
  await composer.fill('One line')
  const height = async () => (await messages.boundingBox())?.height ?? 0
  expect(await height()).toBeGreaterThanOrEqual(620)
  // Zoom halves the size of the page in its own pixels.
  await page.setViewportSize({ width: 640, height: 400 })
  expect(await height()).toBeGreaterThanOrEqual(0.6 * 400)
})

test.describe('following a reply', () => {
  const paragraphs = (from: number, count: number) =>
    Array.from({ length: count }, (_, index) => `Paragraph ${String(from + index)} of the answer.\n\n`).join(
      '',
    )
  const fromEnd = (page: Page) =>
    page
      .getByRole('region', { name: 'Messages' })
      .evaluate((element) => element.scrollHeight - element.clientHeight - element.scrollTop)

  test('keeps the end of the reply in view', async ({ window: { open, send, page, messages } }) => {
    await open()
    const answer = await send('Tell me')
    answer.delta(paragraphs(0, 40))
    await expect(messages.getByText('Paragraph 39 of')).toBeInViewport()
    answer.delta(paragraphs(40, 40))
    await expect(messages.getByText('Paragraph 79 of')).toBeInViewport()
    expect(await fromEnd(page)).toBeLessThan(5)
  })

  test('continues after a layout change that moves the view', async ({
    window: { open, send, page, messages },
  }) => {
    await open()
    const answer = await send('Tell me')
    answer.delta(paragraphs(0, 60))
    await expect(messages.getByText('Paragraph 59 of')).toBeInViewport()
    // Imitates a list whose rows are smaller than estimated, while rows above the view get their real
    // heights.
    await messages.evaluate((element) => {
      if (element.firstElementChild instanceof HTMLElement)
        element.firstElementChild.style.paddingTop = '900px'
      element.scrollTop -= 400
    })
    await expect.poll(() => fromEnd(page)).toBeLessThan(5)
    await expect(page.getByRole('button', { name: 'Follow reply' })).toHaveCount(0)
    answer.delta(paragraphs(60, 20))
    await expect(messages.getByText('Paragraph 79 of')).toBeInViewport()
  })

  test('never moves a reader who scrolled up, until they return', async ({
    window: { open, send, page, messages },
  }) => {
    await open()
    const answer = await send('Tell me')
    answer.delta(paragraphs(0, 60))
    await expect(messages.getByText('Paragraph 59 of')).toBeInViewport()
    await messages.hover()
    await page.mouse.wheel(0, -600)
    await expect(page.getByRole('button', { name: 'Follow reply' })).toBeVisible()
    const top = await messages.evaluate((element) => element.scrollTop)
    answer.delta(paragraphs(60, 40))
    await expect.poll(() => fromEnd(page)).toBeGreaterThan(1500)
    expect(await messages.evaluate((element) => element.scrollTop)).toBe(top)
    await page.getByRole('button', { name: 'Follow reply' }).click()
    await expect(messages.getByText('Paragraph 99 of')).toBeInViewport()
    answer.delta(paragraphs(100, 40))
    await expect(messages.getByText('Paragraph 139 of')).toBeInViewport()
  })

  test('ends when a reader scrolls a little, or without a wheel', async ({
    window: { open, send, page, messages },
  }) => {
    await open()
    const answer = await send('Tell me')
    answer.delta(paragraphs(0, 60))
    await expect(messages.getByText('Paragraph 59 of')).toBeInViewport()
    await messages.hover()
    await page.mouse.wheel(0, -20)
    await expect.poll(() => fromEnd(page)).toBeGreaterThan(10)
    answer.delta(paragraphs(60, 5))
    await expect.poll(() => fromEnd(page)).toBeGreaterThan(100)
    await page.getByRole('button', { name: 'Follow reply' }).click()
    await expect.poll(() => fromEnd(page)).toBeLessThan(2)
    await messages.getByText('Paragraph 3 of').evaluate((element) => element.scrollIntoView())
    answer.delta(paragraphs(65, 5))
    await expect.poll(() => fromEnd(page)).toBeGreaterThan(1000)
    await expect(messages.getByText('Paragraph 3 of')).toBeInViewport()
  })

  test('doesn’t move text that is being selected', async ({ window: { open, send, page, messages } }) => {
    await open()
    const answer = await send('Tell me')
    answer.delta(paragraphs(0, 60))
    await expect(messages.getByText('Paragraph 59 of')).toBeInViewport()
    const paragraph = messages.getByText('Paragraph 58 of')
    // Text that isn't parsed yet is shown as its source. The paragraph that replaces it isn't selected.
    await expect(async () => {
      await paragraph.selectText()
      const selected = await page.evaluate(
        () =>
          new Promise<string>((resolve) => {
            requestAnimationFrame(() => requestAnimationFrame(() => resolve(String(getSelection()))))
          }),
      )
      expect(selected).toContain('Paragraph 58 of')
      expect(selected).not.toContain('Paragraph 59 of')
    }).toPass()
    answer.delta(paragraphs(60, 40))
    await expect.poll(() => fromEnd(page)).toBeGreaterThan(1000)
    await expect(paragraph).toBeInViewport()
  })

  test('doesn’t move a link that is being pressed, and resumes on request', async ({
    window: { open, send, page, messages },
  }) => {
    await open()
    const answer = await send('Tell me')
    answer.delta(
      `${paragraphs(0, 58)}See [the specification](https://www.rfc-editor.org/rfc/rfc9180.html).\n\n${paragraphs(58, 2)}`,
    )
    const link = messages.getByRole('button', { name: 'the specification' })
    await expect(link).toBeInViewport()
    await link.hover()
    await page.mouse.down()
    answer.delta(paragraphs(60, 40))
    await expect.poll(() => fromEnd(page)).toBeGreaterThan(1000)
    await page.mouse.up()
    await expect(page.getByRole('dialog')).toBeVisible()
    await page.keyboard.press('Escape')

    await page.getByRole('button', { name: 'Follow reply' }).click()
    await messages.getByText('Paragraph 99 of').hover()
    await page.mouse.down()
    answer.delta(paragraphs(100, 40))
    await expect.poll(() => fromEnd(page)).toBeGreaterThan(1000)
    await expect(messages.getByText('Paragraph 99 of')).toBeInViewport()
    await page.mouse.up()
    await expect(messages.getByText('Paragraph 139 of')).toBeInViewport()
  })

  test('never renders a finished block again while the reply grows', async ({
    window: { open, send, page, messages },
  }) => {
    await open()
    const answer = await send('Tell me')
    answer.delta('**Paragraph** 0.\n\n**Paragraph** 1.\n\n**Paragraph** 2.\n\n')
    answer.delta('```js\nconst a = 1\n')
    await expect(messages.getByText('const a = 1')).toBeVisible()
    // The text is shown unparsed until the parser is loaded, and is settled from then on.
    await expect(messages.locator('article p strong')).toHaveCount(3)
    await page.evaluate(`(() => {
      const element = document.querySelector('[aria-label="Messages"]')
      const blocks = [...element.querySelectorAll('article p')].filter((p) => p.textContent.startsWith('Paragraph'))
      window.touched = 0
      new MutationObserver((changes) => { window.touched += changes.filter(({ target }) => blocks.some((block) => block.contains(target))).length })
        .observe(element, { subtree: true, childList: true, characterData: true, attributes: true })
      window.blocks = blocks
    })()`)
    for (let line = 0; line < 300; line++) answer.delta(`const b${String(line)} = ${String(line)}\n`)
    answer.delta('```\n\nThe end.')
    await expect(messages.getByText('The end.')).toBeVisible()
    answer.end()
    await expect(messages.getByRole('button', { name: 'Copy reply' })).toBeVisible()
    expect(
      await page.evaluate('[window.blocks.filter((block) => block.isConnected).length, window.touched]'),
    ).toEqual([3, 0])
  })

  test('announces stages and whole sentences, not single words', async ({ window: { open, send, page } }) => {
    await open()
    await page.evaluate(`(() => {
      window.said = []
      const region = document.querySelector('[data-testid="announcer"]')
      new MutationObserver(() => window.said.push(region.textContent)).observe(region, { childList: true, characterData: true, subtree: true })
    })()`)
    const answer = await send('Tell me')
    answer.stage('proving')
    for (let word = 0; word < 200; word++) answer.delta(`Word ${String(word)}. `)
    answer.end()
    await expect.poll(() => page.evaluate('window.said.at(-1)')).toBe('Reply complete. Private')
    const announcements = await page.evaluate<string[]>('window.said')
    expect(announcements[0]).toBe('Verifying the enclave…')
    expect(announcements.length).toBeLessThan(8)
  })
})
