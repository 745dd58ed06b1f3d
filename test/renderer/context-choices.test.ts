import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  modelsWithLongerContext,
  oldestToLeaveOut,
  summaryPrompt,
} from '../../src/renderer/features/chat/context-choices.ts'
import { shownAfterCut } from '../../src/shared/context-cut.ts'
import { historyTokens } from '../../src/renderer/features/chat/estimate.ts'
import type { Message } from '../../src/shared/conversation.ts'
import type { Model } from '../../src/shared/model.ts'

const message = (id: string, role: Message['role'], text: string): Message => ({
  id,
  conversationId: 'c',
  role,
  text,
  state: 'complete',
  createdAt: 0,
})
const chat = (exchanges: number, size: number): Message[] =>
  Array.from({ length: exchanges }, (_, at) => [
    message(`q${String(at)}`, 'user', 'word '.repeat(size)),
    message(`a${String(at)}`, 'assistant', 'word '.repeat(size)),
  ]).flat()
const model = (id: string, contextLength?: number): Model => ({
  id,
  name: id,
  private: id.startsWith('private/'),
  ...(contextLength !== undefined && { contextLength }),
})

test('the fewest whole exchanges are left out so that the others fit', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 20 }),
      fc.integer({ min: 1, max: 200 }),
      fc.nat(2000),
      (exchanges, size, draft) => {
        const sent = chat(exchanges, size)
        const tokens = historyTokens(sent) + draft
        const contextLength = Math.max(1, Math.round(tokens * 0.9))
        const count = oldestToLeaveOut({ sent, tokens, contextLength })
        const limit = contextLength * 0.75
        if (count === undefined) {
          expect(draft).toBeGreaterThan(limit)
          return
        }
        expect(count % 2).toBe(0)
        expect(count).toBeGreaterThan(0)
        expect(historyTokens(sent.slice(count)) + draft).toBeLessThanOrEqual(limit)
        if (count > 2) expect(historyTokens(sent.slice(count - 2)) + draft).toBeGreaterThan(limit)
      },
    ),
  )
})

test('a private chat is neither summarized by a model that isn’t private, nor offered one', () => {
  const [privateModel, plaintextModel] = [model('private/a', 1_000_000), model('b', 1_000_000)]
  expect(summaryPrompt(chat(2, 10), plaintextModel, { private: true })).toBeUndefined()
  expect(summaryPrompt(chat(2, 10), privateModel, { private: true })).toBeGreaterThan(0)
  expect(summaryPrompt(chat(2, 10), plaintextModel, { private: false })).toBeGreaterThan(0)
  const offered = (isPrivate: boolean, current: Model) =>
    modelsWithLongerContext([privateModel, plaintextModel], 1000, { private: isPrivate }, current).map(
      ({ id }) => id,
    )
  expect(offered(true, model('private/c', 10))).toEqual(['private/a'])
  expect(offered(true, model('c', 10))).toEqual(['private/a'])
  expect(offered(false, model('private/c', 10))).toEqual(['private/a'])
  expect(offered(false, model('c', 10))).toEqual(['private/a', 'b'])
})

test('messages that don’t fit into the model’s context can’t be summarized at once', () => {
  expect(summaryPrompt(chat(50, 100), model('b', 2000), { private: false })).toBeUndefined()
})

test('models of unknown or short context are not offered', () => {
  const models = [model('short', 1000), model('unknown'), model('long', 9000), model('longest', 90_000)]
  expect(modelsWithLongerContext(models, 2000, undefined, model('c', 10)).map(({ id }) => id)).toEqual([
    'long',
    'longest',
  ])
})

test('the messages after the cut are those that are sent', () => {
  const shown = chat(2, 1).map((one) => ({ message: one, at: 0, of: 1 }))
  expect(shownAfterCut(shown, { messageId: 'a0' }).map(({ message: { id } }) => id)).toEqual(['q1', 'a1'])
  expect(shownAfterCut(shown, { messageId: 'elsewhere' })).toBe(shown)
  expect(shownAfterCut(shown, undefined)).toBe(shown)
})
