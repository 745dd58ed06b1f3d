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
  ['Hi! How long is the Rhine?', 'How long is the Rhine?'],
  ['Hello, can you help me fix this bike?', 'Fix this bike?'],
  ['hello world in Pascal', 'hello world in Pascal'],
  ['Hi', 'Hi'],
  ['Could you please translate this letter?', 'Translate this letter?'],
  ['I have a cat. What does it eat? Also, does it sleep?', 'I have a cat. What does it eat?'],
  ['你好！请帮我写一份租房合同', '写一份租房合同'],
  ['请假条怎么写', '请假条怎么写'],
  ['こんにちは。東京の天気はどうですか。', '東京の天気はどうですか。'],
  ['안녕하세요! 김치를 어떻게 만드나요?', '김치를 어떻게 만드나요?'],
  ['שלום! איך אופים לחם?', 'איך אופים לחם?'],
  ['مرحبا، كيف أتعلم العزف؟', 'كيف أتعلم العزف؟'],
  ['Why does this fail?\n```ts\nthrow 1\n```', 'Why does this fail?'],
  ['```ts\nthrow 1\n```\nWhy does this fail?', 'Why does this fail?'],
])('%j gets the title %j', (text, title) => {
  expect(titleOf(text)).toBe(title)
})

test('a long line is cut after a word, and one without spaces within the word', () => {
  expect(titleOf('Please compare the three longest rivers of Europe by what they carry each year')).toBe(
    'Compare the three longest rivers of Europe by what they…',
  )
  expect(titleOf('x'.repeat(100))).toBe(`${'x'.repeat(59)}…`)
})

test('the question after a pasted text is the title, unless a first line introduces the text', () => {
  const log = Array.from(
    { length: 400 },
    (_, at) => `12:00:0${String(at % 10)} worker ${String(at)} started`,
  ).join('\n')
  expect(titleOf(`${log}\n\nWhich worker started twice?`)).toBe('Which worker started twice?')
  expect(titleOf(`Find the slow worker:\n${log}\nThanks?`)).toBe('Find the slow worker:')
  expect(titleOf(log)).toBe('12:00:00 worker 0 started')
})

test('text without spaces is cut at a word boundary of its language', () => {
  const text =
    '请比较欧洲三条最长的河流每年运输的货物数量以及它们对沿岸城市经济发展的长期影响并说明各国政府采取了哪些保护措施以及未来的计划是什么'
  const title = titleOf(text)
  expect(title.endsWith('…')).toBe(true)
  const ends = Array.from(
    new Intl.Segmenter(undefined, { granularity: 'word' }).segment(text),
    ({ index }) => index,
  )
  expect(ends).toContain(title.length - 1)
})

test('a long text in any script gets a part of one of its lines, never all of it', () => {
  const line = fc
    .array(fc.constantFrom('河流', 'река', 'נהר', 'نهر', 'river', '강', '川', 'नदी'), {
      minLength: 20,
      maxLength: 60,
    })
    .chain((parts) => fc.constantFrom('', ' ').map((space) => parts.join(space)))
  fc.assert(
    fc.property(fc.array(line, { minLength: 2, maxLength: 40 }), (lines) => {
      const text = lines.join('\n')
      const title = titleOf(text)
      expect(title.length).toBeLessThan(text.length)
      expect(lines.some((one) => one.startsWith(title.slice(0, -1)))).toBe(true)
    }),
  )
})

test('a title is one line of at most 60 graphemes, for any text', () => {
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
