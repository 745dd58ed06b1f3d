import * as data from './mock-data.ts'
import { called, richModels, searched } from './screens/model-screens.ts'
import { expect, test } from './window-test.ts'
import { addToMessage } from './open-window.ts'

const now = Date.now()

test.describe('web search', () => {
  test('is turned on with its price and number of results, sent with the question, and included in the estimate', async ({
    window: { open, page, mock, composer, messages },
  }) => {
    mock.state.models = richModels
    mock.state.conversations = [
      data.conversation('c1', 'Weather', now, [['a', 'b']], { private: false, model: 'sandbox/lookout' }),
    ]
    await open('#/chat/c1')
    await expect(composer).toBeFocused()
    await addToMessage(page, 'Search the web…')
    const dialog = page.getByRole('dialog', { name: 'Web search' })
    await dialog.getByRole('switch', { name: 'Search the web first' }).press('Enter')
    await expect(dialog).toContainText('A search costs $0.02, plus tokens for its results.')
    await expect(dialog.getByRole('textbox', { name: 'Number of results' })).toHaveValue('5')
    await dialog.getByRole('textbox', { name: 'Number of results' }).fill('99')
    await expect(dialog.getByText('Enter a number from 1 to 50.')).toBeVisible()
    await dialog.getByRole('textbox', { name: 'Number of results' }).fill('7')
    await page.keyboard.press('Escape')
    await expect(page.getByRole('button', { name: 'Web search: 7 results' })).toBeVisible()
    await expect(page.getByText('Estimate: $0.035 (up to $3.62)')).toBeVisible()
    await composer.fill('Rain?')
    await composer.press('Enter')
    const answer = await mock.nextAnswer()
    expect(answer.input).toMatchObject({ model: 'sandbox/lookout', webSearch: { maxResults: 7 } })
    answer.delta('Yes.')
    answer.end()
    await expect(messages.getByText('with web search, 7 results')).toBeVisible()
    await page.getByRole('button', { name: 'Web search: 7 results' }).click()
    await dialog.getByRole('switch', { name: 'Search the web first' }).click()
    await page.keyboard.press('Escape')
    await composer.fill('And now?')
    await composer.press('Enter')
    expect((await mock.nextAnswer()).input.webSearch).toBeUndefined()
  })

  test('a price that isn’t listed is unknown, never zero', async ({ window: { open, page, mock } }) => {
    mock.state.models = richModels.map(({ webSearch: _, ...model }) => model)
    mock.state.conversations = [
      data.conversation('c1', 'Weather', now, [['a', 'b']], { private: false, model: 'sandbox/lookout' }),
    ]
    await open('#/chat/c1')
    await addToMessage(page, 'Search the web…')
    await page.getByRole('switch', { name: 'Search the web first' }).click()
    await expect(page.getByText('The service doesn’t report a price for searches.')).toBeVisible()
    await expect(page.getByText('Search price not reported')).toBeVisible()
  })

  test('a private model refuses it with the reason, and another model needs a consent for the search', async ({
    window: { open, page, mock, composer },
  }) => {
    mock.state.models = richModels
    mock.state.conversations = [data.conversation('c1', 'Private', now, [['a secret', 'kept']])]
    await open('#/chat/c1')
    await addToMessage(page, 'Search the web…')
    await expect(page.getByRole('switch', { name: 'Search the web first' })).toBeDisabled()
    await expect(page.getByText(/Private models don’t search/)).toBeVisible()
    await page.getByRole('button', { name: 'Choose a non-private model…' }).click()
    const models = page.getByRole('listbox', { name: 'Models' })
    await expect(models.getByRole('option')).toHaveText([/Essayist/, /Lookout/])
    await models.getByRole('option', { name: /Lookout/ }).click()
    await addToMessage(page, 'Search the web…')
    await page.getByRole('switch', { name: 'Search the web first' }).click()
    await page.keyboard.press('Escape')
    await composer.fill('Rain?')
    await composer.press('Enter')
    const dialog = page.getByRole('alertdialog')
    await expect(dialog).toContainText('a secret')
    expect(mock.calls.find(({ path }) => path === 'consents.preview')?.input).toMatchObject({
      purpose: 'web-search',
      models: ['sandbox/lookout'],
    })
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await expect(composer).toHaveValue('Rain?')
    expect(mock.calls.filter(({ path }) => path === 'chat.send')).toEqual([])
    await composer.press('Enter')
    await dialog.getByRole('button', { name: 'Allow once' }).click()
    const answer = await mock.nextAnswer()
    expect(answer.input).toMatchObject({ webSearch: { maxResults: 5 } })
    expect(answer.input.consentId).toMatch(/^consent-/)
  })
})

test.describe('the parts of a reply besides its text', () => {
  test('sources are numbered and marked in the text, and no address opens before it’s shown', async ({
    window: { open, page, mock, messages },
  }) => {
    mock.state.models = richModels
    const thread = data.conversation(
      'c1',
      'Weather',
      now,
      [['Rain?', 'It will rain until this evening. Take an umbrella.']],
      { private: false, model: 'sandbox/lookout' },
    )
    Object.assign(thread.messages[1]!, searched)
    mock.state.conversations = [thread]
    await open('#/chat/c1')
    await expect(messages.getByText('3 sources reported by the service')).toBeVisible()
    await expect(messages.getByRole('listitem')).toHaveText([
      /Turin: rain until the evening weather\.example.*12 mm/,
      /A wet November news\.example/,
      /plain\.example/,
    ])
    await messages
      .getByRole('button', { name: '[1]' })
      .or(messages.getByRole('link', { name: '[1]' }))
      .press('Enter')
    await expect(page.getByTestId('link-target')).toHaveText('https://weather.example/turin/today')
    await page.keyboard.press('Escape')
    await messages.getByRole('button', { name: 'plain.example' }).press('Enter')
    await expect(page.getByRole('dialog')).toContainText('The service listed it as a source for this reply.')
    await expect(page.getByRole('dialog')).toContainText('This connection isn’t encrypted')
  })

  test('a tool call is shown as text, during the reply and after it, and nothing runs', async ({
    window: { open, send, page, messages },
  }) => {
    await open()
    const answer = await send('Weather?')
    answer.calling('get_weather')
    await expect(page.getByTestId('stage')).toContainText('Requesting tools…')
    answer.end(called)
    await expect(messages.getByText('Sotto shows the calls but doesn’t run them.')).toBeVisible()
    await messages.getByText('get_weather').click()
    const block = messages.getByRole('region', { name: 'Arguments for get_weather' })
    await expect(block).toContainText('{ "city": "Turin", "units": "metric" }')
    await messages.getByText('broken').click()
    await expect(messages.getByRole('region', { name: 'Arguments for broken' })).toContainText('{"city')
  })

  test('a failed reply shows the service’s message, after a reload too, and offers to continue and to try again', async ({
    window: { open, page, mock, messages },
  }) => {
    const thread = data.conversation('c1', 'Weather', now, [['Rain?', 'It will ']], { private: false })
    Object.assign(thread.messages[1]!, {
      state: 'failed',
      errorCode: 'service/unavailable',
      errorDetail: [
        {
          english: 'The response contains an error: “{message}” ({code}).',
          values: { message: 'Upstream is too busy', code: 'server_overloaded' },
        },
      ],
    })
    mock.state.conversations = [thread]
    await open('#/chat/c1')
    await expect(messages.getByText('Upstream is too busy')).toBeVisible()
    await expect(messages.getByText('server_overloaded')).toBeVisible()
    for (const name of ['Continue', 'Try again'])
      await expect(messages.getByRole('button', { name })).toBeVisible()
    await page.reload()
    await expect(messages.getByText('Upstream is too busy')).toBeVisible()
  })

  test('an empty reply is labeled, and the parts that aren’t shown are named', async ({
    window: { open, send, messages },
  }) => {
    await open()
    const empty = await send('Hello')
    empty.end({ text: '' })
    await expect(messages.getByText('The reply is empty.')).toBeVisible()
    const other = await send('Draw a cello')
    other.delta('Here it is.')
    other.end({ unshown: [{ type: 'image/png', count: 2 }], end: 'refused' })
    await expect(
      messages.getByText('The reply also contains 2 parts that Sotto doesn’t show: image/png.'),
    ).toBeVisible()
    await expect(messages.getByText('The model declined to answer.')).toBeVisible()
  })

  test('hostile names, titles and arguments stay text', async ({
    window: { open, page, mock, messages },
  }) => {
    const thread = data.conversation('c1', 'Hostile', now, [['x', 'An answer [1] with <b>marks</b>.']], {
      private: false,
    })
    Object.assign(thread.messages[1]!, {
      citations: [
        {
          url: 'https://evil.example/%22%3E%3Cscript%3E',
          title: '<img src=x onerror=alert(1)>',
          excerpt: '</li><script>alert(1)</script>',
        },
      ],
      toolCalls: [
        { name: '<script>\u202Egnp.exe', arguments: '{"a":"</pre><script>alert(1)</script>\\u202e"}' },
      ],
    })
    mock.state.conversations = [thread]
    await open('#/chat/c1')
    await expect(messages.getByText('<img src=x onerror=alert(1)>')).toBeVisible()
    await messages.getByText('Tool call:').click()
    await expect(messages.getByText('</pre><script>alert(1)</script>')).toBeVisible()
    await expect(messages.locator('[data-name="U+202E"]').first()).toBeVisible()
    expect(await page.evaluate('document.querySelectorAll("main script, main img").length')).toBe(0)
  })

  test('cost, tokens and speed are in a quiet line, and unknown values are labeled', async ({
    window: { open, send, page, messages, mock },
  }) => {
    await open()
    const first = await send('Hello')
    first.delta('Hi.')
    const receipt = data.receipt('r1', now, {
      usage: { prompt: 10, completion: 90 },
      firstByteMs: 1000,
      durationMs: 4000,
    })
    mock.state.receipts.push(receipt)
    first.end({}, receipt)
    await expect(messages.getByText('0.13518¢, 90 tokens, 30 tokens/s, first byte in 1.0 s')).toBeVisible()
    const second = await send('Again')
    second.delta('Hi again.')
    const { usage: _, cost: _cost, firstByteMs: _first, ...unknown } = data.receipt('r2', now)
    mock.state.receipts.push(unknown)
    second.end({}, unknown)
    await expect(messages.getByText('cost not reported, tokens not reported')).toBeVisible()
    await expect(page.getByText('NaN')).toHaveCount(0)
  })
})
