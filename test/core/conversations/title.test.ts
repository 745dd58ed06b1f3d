import fc from 'fast-check'
import { expect, test } from 'vitest'
import { shortened, titleOf } from '../../../src/core/conversations/title.ts'

test.each([
  ['How is a request sealed?', 'How is a request sealed?'],
  ['\n\n   # Plan for **May**\n- one', 'Plan for May'],
  ['> a `quoted` line', 'a quoted line'],
  ['```\n---\nconst a = 1\n```', 'const a = 1'],
  ['2 * 3 * 4', '2 * 3 * 4'],
  ['???\n!!!', 'New chat'],
  ['', 'New chat'],
])('%j is called %j', (text, title) => {
  expect(titleOf(text)).toBe(title)
})

test('a long line ends with a word, and one without a space within it', () => {
  expect(titleOf('Please compare the three longest rivers of Europe by what they carry each year')).toBe(
    'Please compare the three longest rivers of Europe by what…',
  )
  expect(titleOf('x'.repeat(100))).toBe(`${'x'.repeat(59)}…`)
})

test('whatever is said, a title is one line of at most 60 characters as people count them', () => {
  const segments = new Intl.Segmenter(undefined, { granularity: 'grapheme' })
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string({ unit: 'grapheme', maxLength: 200 }),
        fc.string({ unit: 'binary', maxLength: 200 }),
      ),
      (text) => {
        const title = titleOf(text)
        expect(title).not.toBe('')
        expect(title).not.toMatch(/\n/)
        expect([...segments.segment(title)].length).toBeLessThanOrEqual(60)
      },
    ),
  )
  expect(shortened('👩‍👩‍👧‍👦'.repeat(5), 4)).toBe(`${'👩‍👩‍👧‍👦'.repeat(3)}…`)
})
