import fc from 'fast-check'
import { expect, test } from 'vitest'
import { sentMessages, withSummary } from '../../src/shared/context-cut.ts'

const message = fc.record({
  id: fc.uuid(),
  role: fc.constantFrom('user' as const, 'assistant' as const, 'system' as const),
  text: fc.string(),
})
const branch = fc.uniqueArray(message, { selector: ({ id }) => id, maxLength: 12 })

test('without a cut, or on a branch without the message of the cut, everything is sent', () => {
  fc.assert(
    fc.property(branch, fc.uuid(), (path, other) => {
      expect(sentMessages(path, undefined)).toEqual(path)
      fc.pre(!path.some(({ id }) => id === other))
      expect(sentMessages(path, { messageId: other, summary: 'S' })).toEqual(path)
    }),
  )
})

test('no message up to the cut is sent, and each later one is sent once', () => {
  fc.assert(
    fc.property(branch, fc.nat(), fc.option(fc.string(), { nil: undefined }), (path, place, summary) => {
      const at = path.length === 0 ? -1 : place % path.length
      const cut = path[at]
      fc.pre(cut !== undefined)
      const sent = sentMessages(path, { messageId: cut.id, summary })
      expect(sent.map(({ id, role }) => [id, role])).toEqual(
        path.slice(at + 1).map(({ id, role }) => [id, role]),
      )
      // Only the first question differs, and only by the summary.
      const first = sent.findIndex(({ role }) => role === 'user')
      for (const [index, { text }] of sent.entries()) {
        const before = path[at + 1 + index]?.text ?? ''
        expect(text).toBe(index === first && summary !== undefined ? withSummary(summary, before) : before)
      }
    }),
  )
})

test('a question that isn’t stored yet gets the summary', () => {
  const path = [
    { id: 'q1', role: 'user' as const, text: 'One' },
    { id: 'a1', role: 'assistant' as const, text: 'First' },
    { role: 'user' as const, text: 'Two' },
  ]
  expect(sentMessages(path, { messageId: 'a1', summary: 'S' })).toEqual([
    { role: 'user', text: withSummary('S', 'Two') },
  ])
})
