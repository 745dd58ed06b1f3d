// @vitest-environment happy-dom
import { act, renderHook } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Attachment } from '../../src/shared/attachment.ts'
import type { PromptPart } from '../../src/shared/contract/chat.ts'
import type { Message } from '../../src/shared/conversation.ts'
import type { Status } from '../../src/shared/status.ts'

interface Ask {
  readonly part: PromptPart
  readonly signal: AbortSignal
  readonly answer: (tokens: number | null) => Promise<void>
  readonly fail: () => Promise<void>
}
const asks: Ask[] = []
vi.mock('../../src/renderer/ui/api.ts', () => ({
  api: {
    chat: {
      countTokens: (part: PromptPart, { signal }: { signal: AbortSignal }) =>
        new Promise((resolve, reject) => {
          const settled = (settle: () => void): Promise<void> =>
            act(() => {
              settle()
              return Promise.resolve()
            })
          asks.push({
            part,
            signal,
            answer: (tokens) => settled(() => resolve({ tokens })),
            fail: () => settled(() => reject(new Error('locked'))),
          })
        }),
    },
  },
}))

const { setStatus } = await import('../../src/renderer/ui/status-store.ts')
const { NEW } = await import('../../src/renderer/features/chat/chat-store.ts')
const { usePromptTokens } = await import('../../src/renderer/features/chat/prompt-tokens.ts')
const { tokensOf } = await import('../../src/renderer/features/chat/estimate.ts')
const { MOST_COUNTED } = await import('../../src/shared/token-estimate.ts')

const pause = () => act(() => vi.advanceTimersByTimeAsync(1000))
const message = (id: string, text: string, more: Partial<Message> = {}): Message => ({
  id,
  conversationId: 'c',
  role: 'user',
  text,
  state: 'complete',
  createdAt: 1,
  ...more,
})
const file: Attachment = { id: 'f', name: 'a.txt', kind: 'text', type: 'text/plain', bytes: 3, tokens: 30 }
const nothing = { draft: NEW, shown: [], systemPrompt: '', text: '', attached: [] }
const shownOf = (...messages: Message[]) => messages.map((each) => ({ message: each, at: 0, of: 1 }))
const draw = (first: Parameters<typeof usePromptTokens>[0]) =>
  renderHook((prompt: Parameters<typeof usePromptTokens>[0]) => usePromptTokens(prompt), {
    initialProps: first,
  })

beforeEach(() => {
  vi.useFakeTimers()
  asks.splice(0)
  act(() =>
    setStatus({
      service: { profileId: 'one', baseUrl: 'https://a.example' },
      account: { connected: false },
      vault: { state: 'open' },
    } as Status),
  )
})
afterEach(() => vi.useRealTimers())

test('a draft is counted after a pause, once for all that was typed, and not before something was typed', async () => {
  const shown = shownOf(message('m', 'Earlier'))
  const { result, rerender } = draw({ ...nothing, draft: 'c', shown })
  await pause()
  expect(asks).toEqual([])
  for (const text of ['W', 'Wo', 'Word']) {
    rerender({ ...nothing, draft: 'c', shown, text })
    await act(() => vi.advanceTimersByTimeAsync(100))
  }
  expect(asks).toEqual([])
  await pause()
  expect(asks.map(({ part }) => part)).toEqual([{ conversationId: 'c', leafId: 'm' }, { text: 'Word' }])
  await asks[0]!.answer(100)
  await asks[1]!.answer(20)
  expect(result.current).toBe(120)
  rerender({ ...nothing, draft: 'c', shown, text: 'Words' })
  await pause()
  expect(asks.slice(2).map(({ part }) => part)).toEqual([{ text: 'Words' }])
})

test('the estimate is shown until the count arrives, and follows the last count after that', async () => {
  const { result, rerender } = draw({ ...nothing, text: 'one two' })
  expect(result.current).toBe(tokensOf('one two'))
  await pause()
  await asks[0]!.answer(60)
  expect(result.current).toBe(60)
  rerender({ ...nothing, text: 'one two three' })
  expect(result.current).toBe(Math.round((60 * tokensOf('one two three')) / tokensOf('one two')))
  rerender({ ...nothing, text: 'one two' })
  expect(result.current).toBe(60)
})

test('a newer draft cancels the count of the older one, whose answer is ignored', async () => {
  const { result, rerender } = draw({ ...nothing, text: 'one' })
  await pause()
  rerender({ ...nothing, text: 'one two' })
  expect(asks[0]!.signal.aborted).toBe(true)
  await asks[0]!.answer(1000)
  expect(result.current).toBe(tokensOf('one two'))
})

test.each([
  ['fails', (ask: Ask) => ask.fail()],
  ['finds it too long', (ask: Ask) => ask.answer(null)],
])('the estimate stays if the core %s', async (_, answer) => {
  const { result } = draw({ ...nothing, text: 'one' })
  await pause()
  await answer(asks[0]!)
  expect(result.current).toBe(tokensOf('one'))
})

test('files, instructions of a new chat and a reply that ended are counted; a text over the bound isn’t sent', async () => {
  const { rerender } = draw({
    ...nothing,
    systemPrompt: 'Be brief.',
    attached: [file],
    text: 'a'.repeat(MOST_COUNTED + 1),
  })
  await pause()
  expect(asks.splice(0).map(({ part }) => part)).toEqual([{ text: 'Be brief.' }, { attachmentIds: ['f'] }])
  for (const state of ['streaming', 'complete'] as const) {
    rerender({
      ...nothing,
      draft: 'c',
      shown: shownOf(message('m', 'a'), message('r', '', { role: 'assistant', state })),
      text: 'x',
    })
    await pause()
  }
  expect(asks.filter(({ part }) => 'leafId' in part).map(({ part }) => part)).toEqual([
    { conversationId: 'c', leafId: 'r' },
    { conversationId: 'c', leafId: 'r' },
  ])
})

test('a count of another service is not shown', async () => {
  const { result } = draw({ ...nothing, text: 'one' })
  await pause()
  await asks[0]!.answer(60)
  act(() =>
    setStatus({
      service: { profileId: 'two', baseUrl: 'https://a.example' },
      account: { connected: false },
      vault: { state: 'open' },
    } as Status),
  )
  expect(result.current).toBe(tokensOf('one'))
})
