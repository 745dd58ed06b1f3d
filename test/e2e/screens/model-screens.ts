import { expect, type Page } from '@playwright/test'
import type { Message } from '../../../src/shared/conversation.ts'
import type { Model } from '../../../src/shared/model.ts'
import * as data from '../mock-data.ts'
import type { MockServer } from '../mock-server.ts'
import type { ScreenGroup } from './screen.ts'
import { addToMessage } from '../open-window.ts'

const { usd } = data
const now = Date.now()

/** Models with all attributes, with some, and with few. */
export const richModels: readonly Model[] = [
  {
    id: 'private/sandbox-large',
    name: 'Sandbox Large',
    provider: 'sandbox',
    type: 'chat',
    private: true,
    contextLength: 131_072,
    addedAt: Date.UTC(2026, 7, 19),
    inputPerMillion: usd(0.9),
    outputPerMillion: usd(2.4),
    averageCost: usd(0.0021),
    promptsPerDollar: 476,
  },
  {
    id: 'private/sandbox-vision',
    name: 'Sandbox Vision',
    provider: 'sandbox',
    type: 'chat',
    private: true,
    contextLength: 65_536,
    inputPerMillion: usd(0.5),
    outputPerMillion: usd(1.5),
    inputModalities: ['text', 'image'],
  },
  {
    id: 'sandbox/lookout',
    name: 'Lookout',
    provider: 'acme',
    type: 'chat',
    private: false,
    contextLength: 200_000,
    addedAt: Date.UTC(2026, 8, 21),
    inputPerMillion: usd(3),
    outputPerMillion: usd(15),
    averageCost: usd(0.0105),
    promptsPerDollar: 95,
    webSearch: usd(0.02),
    inputModalities: ['text', 'image'],
  },
  { id: 'sandbox/essayist', name: 'Essayist', type: 'chat', private: false },
]

export const manyModels: readonly Model[] = Array.from({ length: 1000 }, (_, at): Model => {
  const number = String(at).padStart(4, '0')
  return {
    id: `many/${number}`,
    name: `Model ${number}`,
    provider: `provider-${String(at % 20)}`,
    type: 'chat',
    private: false,
    contextLength: 1000 * (at + 1),
    inputPerMillion: usd(at / 100),
    outputPerMillion: usd(at / 50),
  }
})

export const searched: Partial<Message> = {
  citations: [
    {
      url: 'https://weather.example/turin/today',
      title: 'Turin: rain until the evening',
      excerpt: 'Rain is expected over the city until about 19:00, with 12 mm in all.',
      marks: [33],
    },
    { url: 'https://news.example/2026/11/22/a-wet-november', title: 'A wet November' },
    { url: 'http://plain.example/' },
  ],
}
export const called: Partial<Message> = {
  toolCalls: [
    { id: 'call_1', name: 'get_weather', arguments: '{"city":"Turin","units":"metric"}' },
    { name: 'broken', arguments: '{"city' },
  ],
  end: 'tool-calls',
}

/** A question with three replies, of two public models and a private one. */
export function compared({ state }: MockServer): void {
  state.models = richModels
  const thread = data.conversation(
    'c1',
    'Weather',
    now,
    [
      [
        'Will it rain in Turin today, and should I take an umbrella?',
        'Yes: rain until the evening. Take one.',
      ],
    ],
    { private: false, model: 'sandbox/lookout' },
  )
  const [question, first] = thread.messages
  const answer = (id: string, model: string, part: Partial<Message>): Message => ({
    id,
    conversationId: 'c1',
    parentId: question?.id ?? null,
    role: 'assistant',
    text: data.richAnswer,
    state: 'complete',
    model,
    receiptId: `r-${id}`,
    createdAt: now + 5000,
    ...part,
  })
  if (first) Object.assign(first, { parentId: question?.id, receiptId: 'r-first' })
  thread.messages.push(
    answer('c1-b', 'private/sandbox-large', { privacy: 'sealed' }),
    answer('c1-c', 'sandbox/essayist', { privacy: 'forwarded', text: 'Perhaps', state: 'cancelled' }),
  )
  state.conversations = [thread]
  const {
    usage: _,
    cost: _cost,
    ...unknown
  } = data.receipt('r-c1-c', now, { privacy: 'forwarded', model: 'sandbox/essayist' })
  state.receipts = [
    data.receipt('r-first', now, {
      privacy: 'forwarded',
      model: 'sandbox/lookout',
      cost: usd(0.0104),
      usage: { prompt: 40, completion: 12 },
    }),
    data.receipt('r-c1-b', now),
    unknown,
  ]
}

function answered(part: Partial<Message>): (mock: MockServer) => void {
  return ({ state }) => {
    state.models = richModels
    const thread = data.conversation(
      'c1',
      'Weather',
      now,
      [
        [
          'Will it rain in Turin today?',
          'It will rain until this evening. Take an umbrella, and shoes that can bear it.',
        ],
      ],
      { private: false, model: 'sandbox/lookout' },
    )
    const [question, answer] = thread.messages
    if (question) question.webSearch = { maxResults: 3 }
    if (answer) Object.assign(answer, part)
    state.conversations = [thread]
    state.receipts = [data.receipt('r-c1-0', now, { privacy: 'forwarded', model: 'sandbox/lookout' })]
  }
}

const showModelPicker = async (page: Page) => {
  await page.getByRole('button', { name: /^Models?:/ }).click()
  await expect(page.getByRole('option').first()).toBeVisible()
}

/** Models: chosen, compared, searching, and their output in addition to text. */
export const modelScreens: ScreenGroup = {
  name: 'Models',
  place: '#/chat/c1',
  set: answered(searched),
  shown: (page) => expect(page.locator('main')).toBeVisible(),
  screens: [
    {
      name: 'picker with details',
      set: ({ state }) => {
        state.favourites = ['sandbox/lookout']
      },
      act: async (page) => {
        await showModelPicker(page)
        await page.getByRole('button', { name: 'Show details' }).click()
        await expect(page.getByRole('region', { name: /^Details for/ })).toBeVisible()
      },
    },
    {
      name: 'picker with filters',
      act: async (page) => {
        await showModelPicker(page)
        await page.getByRole('button', { name: 'Filter and sort' }).click()
        await expect(page.getByLabel('Sort by')).toBeVisible()
      },
    },
    {
      name: 'choosing models to compare',
      act: async (page) => {
        await showModelPicker(page)
        await page.getByRole('button', { name: 'Compare…' }).click()
        await page.getByRole('option', { name: /Sandbox Large/ }).click()
        await expect(page.getByRole('button', { name: 'Compare 2 models' })).toBeEnabled()
      },
    },
    {
      name: 'models to compare in the composer',
      act: async (page) => {
        await showModelPicker(page)
        await page.getByRole('button', { name: 'Compare…' }).click()
        await page.getByRole('option', { name: /Sandbox Large/ }).click()
        await page.getByRole('button', { name: 'Compare 2 models' }).click()
        await expect(page.getByText(/^Estimate for all: /)).toBeVisible()
      },
    },
    {
      name: 'replies side by side',
      set: compared,
      act: async (page) => {
        await page.getByRole('button', { name: 'Show replies side by side' }).click()
        await expect(page.getByRole('heading', { name: 'Side by side' })).toBeVisible()
      },
    },
    {
      name: 'web search',
      act: async (page) => {
        await addToMessage(page, 'Search the web…')
        await page.getByRole('switch', { name: 'Search the web first' }).click()
        await expect(page.getByRole('textbox', { name: 'Number of results' })).toBeEnabled()
      },
    },
    {
      name: 'web search refused',
      set: ({ state }) => {
        state.conversations = [data.conversation('c1', 'Private', now, [['a', 'b']])]
      },
      act: async (page) => {
        await addToMessage(page, 'Search the web…')
        await expect(page.getByText(/Private models don’t search/)).toBeVisible()
      },
    },
    {
      name: 'an image for the message',
      act: async (page) => {
        await page.getByRole('textbox', { name: 'Message', exact: true }).fill('A wet street in Turin')
        await addToMessage(page, 'Create image…')
        await expect(page.getByRole('button', { name: /^Generate · / })).toBeEnabled()
      },
    },
    {
      name: 'an image as a turn of the chat',
      act: async (page) => {
        await page.getByRole('textbox', { name: 'Message', exact: true }).fill('A wet street in Turin')
        await addToMessage(page, 'Create image…')
        await page.getByRole('button', { name: /^Generate · / }).click()
        await expect(page.getByRole('button', { name: 'View A wet street in Turin' })).toBeVisible()
      },
    },
    { name: 'sources', act: (page) => expect(page.getByText('3 sources')).toBeVisible() },
    {
      name: 'a reply that failed, and parts that aren’t shown',
      set: answered({
        state: 'failed',
        errorCode: 'service/unavailable',
        errorDetail: [
          {
            english: 'The response contains an error: “{message}” ({code}).',
            values: { message: 'Upstream is too busy', code: 'server_overloaded' },
          },
        ],
        unshown: [{ type: 'image/png', count: 2 }],
      }),
    },
    {
      name: 'a receipt whose cost differs',
      set: (mock) => {
        answered({ receiptId: 'r-c1-0', privacy: 'forwarded' })(mock)
        mock.state.receipts = [
          data.receipt('r-c1-0', now, {
            privacy: 'forwarded',
            model: 'sandbox/lookout',
            cost: usd(0.5),
            costStated: true,
            listedCost: usd(0.0104),
            charged: usd(0.0208),
            costDoubted: true,
            withoutEndMark: true,
          }),
        ]
      },
      act: async (page) => {
        await page
          .getByRole('button', { name: /Receipt/ })
          .first()
          .press('Enter')
        const dialog = page.getByRole('dialog', { name: 'Receipt' })
        await expect(dialog).toContainText('The cost that the service reported differs from its price list.')
        await dialog.getByText('By the price list').scrollIntoViewIfNeeded()
      },
    },
    { name: 'an empty reply', set: answered({ text: '' }) },
    {
      name: 'calls of tools',
      set: answered(called),
      act: async (page) => {
        await page.getByText('get_weather').click()
        await expect(page.getByText('"units": "metric"')).toBeVisible()
      },
    },
  ],
}
