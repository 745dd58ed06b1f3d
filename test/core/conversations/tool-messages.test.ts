import fc from 'fast-check'
import { expect, it } from 'vitest'
import {
  hasHandledCalls,
  messagesOfAnswer,
  textWithCalls,
} from '../../../src/core/conversations/tool-messages.ts'
import { exposedIn } from '../../../src/core/conversations/consented.ts'
import { createStore } from '../../../src/core/storage/index.ts'
import { UNKNOWN_RESULT } from '../../../src/shared/tool-call.ts'
import { KEY } from '../storage/examples.ts'

const call = { id: 'a', name: 'read', arguments: '{"x":1}', round: 0, at: 5, result: 'canary-result' }

it('sends a call without a result as unknown, and malformed arguments as an empty object', () => {
  const { result: _, ...unknown } = call
  expect(messagesOfAnswer({ text: 'Text.', toolCalls: [{ ...unknown, arguments: '[' }] })).toEqual([
    {
      role: 'assistant',
      content: 'Text.',
      tool_calls: [{ id: 'a', type: 'function', function: { name: 'read', arguments: '{}' } }],
    },
    { role: 'tool', tool_call_id: 'a', content: UNKNOWN_RESULT },
  ])
})

it('sends the other members of a call back with later questions to the same model, and counts them', () => {
  const more = {
    extra_content: { signature: 'canary-signature' },
    function: { name: 'other', signature: 's' },
  }
  const answer = { text: 'Text.', model: 'maker/one', toolCalls: [{ ...call, more }] }
  // Another model's API may refuse unknown members.
  expect(JSON.stringify(messagesOfAnswer(answer, 'maker/two'))).not.toContain('signature')
  expect(JSON.stringify(messagesOfAnswer(answer))).not.toContain('signature')
  expect(messagesOfAnswer(answer, 'maker/one')[0]).toEqual({
    role: 'assistant',
    content: 'Text.',
    tool_calls: [
      {
        id: 'a',
        type: 'function',
        extra_content: { signature: 'canary-signature' },
        function: { name: 'read', arguments: '{"x":1}', signature: 's' },
      },
    ],
  })
  expect(textWithCalls(answer)).toContain('canary-signature')
})

it('omits a call that Sotto didn’t handle', () => {
  const { round: _, at: __, ...foreign } = call
  expect(hasHandledCalls({ toolCalls: [foreign] })).toBe(false)
  expect(messagesOfAnswer({ text: 'Text.', toolCalls: [foreign] })).toEqual([
    { role: 'assistant', content: 'Text.' },
  ])
})

it('whatever places an imported file states, the text is sent once and whole', () => {
  const numbers = fc.record({ round: fc.nat(3), at: fc.nat(20) })
  fc.assert(
    fc.property(fc.string(), fc.array(numbers, { maxLength: 6 }), (text, places) => {
      const toolCalls = places.map((place) => ({ ...call, ...place }))
      const messages = messagesOfAnswer({ text, toolCalls })
      const written = messages.flatMap(({ role, content }) =>
        role === 'assistant' && typeof content === 'string' ? [content] : [],
      )
      expect(written.join('')).toBe(text)
      expect(messages.filter(({ role }) => role === 'tool')).toHaveLength(places.length)
    }),
    { numRuns: 100 },
  )
})

it('a consent and a count contain the results that are sent', () => {
  const answer = { role: 'assistant', text: 'Text.', toolCalls: [call] } as const
  const path = [{ ...answer, toolCalls: [...answer.toolCalls] }]
  const store = createStore({ folder: null, key: KEY, now: () => 1 })
  expect(textWithCalls(path[0] ?? { text: '' })).toContain('canary-result')
  expect(JSON.stringify(exposedIn({ store }, {}, path))).toContain('canary-result')
  store.close()
})
