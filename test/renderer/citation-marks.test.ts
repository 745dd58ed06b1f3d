import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { withMarks, withPassageMarks } from '../../src/renderer/features/chat/citation-marks.ts'

const at = (...marks: number[]) => [{ url: 'https://a.example/', marks }]
const mark = ' [&#91;1&#93;](<https://a.example/>)'

describe('marks', () => {
  test('stand where the service says, and never within a word', () => {
    expect(withMarks('It rains. Stay.', at(9))).toBe(`It rains.${mark} Stay.`)
    expect(withMarks('It rains. Stay.', at(5))).toBe(`It rains.${mark} Stay.`)
    expect(withMarks('It rains. Stay.', at(10))).toBe(`It rains.${mark} Stay.`)
    expect(withMarks('It rains.', at(9))).toBe(`It rains.${mark}`)
  })
  test('several are in their order, whichever source comes first', () => {
    expect(
      withMarks('one two three', [
        { url: 'https://b.example/', marks: [13] },
        { url: 'https://a.example/', marks: [3] },
      ]),
    ).toBe('one [&#91;2&#93;](<https://a.example/>) two three [&#91;1&#93;](<https://b.example/>)')
  })
  test.each([
    '`a b c`',
    '```\na b c\n```',
    '```\na b c',
    '~~~\na b c\n~~~',
    '$a + b$',
    '$$\na b\n$$',
    '[x](https://b.example/ a)',
    '```` x\n``` a b\n````',
  ])('nothing is put into %j', (text) => {
    expect(withMarks(text, at(Math.floor(text.length / 2)))).toBe(text)
  })
  test('where no places are given, the numbers that the model wrote lead to the sources', () => {
    const sources = [{ url: 'https://a.example/' }, { url: 'https://b.example/\\x' }]
    expect(withMarks('Rain[1], wind [2][3] and `a[1]`; [1](x) \\[1] ![1] [1]: y', sources)).toBe(
      `Rain${mark}, wind  [&#91;2&#93;](<https://b.example/%5Cx>)[3] and \`a[1]\`; [1](x) \\[1] ![1] [1]: y`,
    )
  })
  test('without sources the text is as it was', () => expect(withMarks('a [1]', [])).toBe('a [1]'))
})

test('marks name only passages that the model read, and only outside of code', () => {
  const link = (number: number) => ` [&#91;${String(number)}&#93;](<#passage-${String(number)}>)`
  const text = 'Three months [2], rent [1][2]. [3] [0] [12] `[1]` \\[1] ![1] [1](x)\n```\n[1]\n```'
  expect(withPassageMarks(text, 2)).toEqual({
    text: text.replace('[2],', `${link(2)},`).replace('[1][2].', `${link(1)}${link(2)}.`),
    cited: [1, 2],
  })
  expect(withPassageMarks('a [1]', 0)).toEqual({ text: 'a [1]', cited: [] })
})

test('whatever the text and the places, nothing of the text is lost or moved', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.lorem(),
        fc.string({ unit: fc.constantFrom('`', '$', ' ', '\n', 'a', '[', ']', '(', ')', '<') }),
      ),
      fc.array(fc.nat(200), { maxLength: 20 }),
      (text, marks) => {
        expect(withMarks(text, at(...marks)).replaceAll(mark, '')).toBe(text.replaceAll(mark, ''))
      },
    ),
    { numRuns: 500 },
  )
})

test.each(['`[1] $ ', '`', '<https:', '](', '$x', '$$', '```\n', '``` x', '~~~', '[1]', '` `` ``` '])(
  'a long text of %j is no work',
  (part) => {
    const text = part.repeat(Math.floor(200_000 / part.length))
    expect(
      withMarks(text, at(...Array.from({ length: 20 }, (_, index) => index * 1000))).length,
    ).toBeGreaterThanOrEqual(text.length)
    expect(withMarks(text, [{ url: 'https://a.example/' }]).length).toBeGreaterThanOrEqual(text.length)
  },
)
