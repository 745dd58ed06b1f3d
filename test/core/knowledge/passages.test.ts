import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { cutPassages, MOST_TOKENS } from '../../../src/core/knowledge/passages.ts'
import { MAX_PASSAGE_LENGTH } from '../../../src/shared/passage-text.ts'

const line = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 60 }),
  fc.lorem({ maxCount: 8, mode: 'sentences' }),
  fc.constantFrom(
    '',
    '# One',
    '## Two ##',
    '```',
    '[Page 1]',
    '[Page 2]',
    ' \t ',
    '\r',
    '東京大学は大きい。'.repeat(60),
  ),
  fc.string({ unit: 'binary', minLength: 900, maxLength: 1_200 }),
)
const documents = fc.array(line, { maxLength: 30 }).map((lines) => lines.join('\n'))

test('every character that is not white space is in a passage, which begins at its line and is bounded', () => {
  fc.assert(
    fc.property(documents, fc.boolean(), (text, markdown) => {
      const covered = new Uint8Array(text.length)
      let before = -1
      for (const { text: cut, place, tokens, start } of cutPassages(text, { markdown })) {
        expect(text.slice(start, start + cut.length)).toBe(cut)
        expect(text.slice(0, start).split('\n')).toHaveLength(place.line)
        expect(start).toBeGreaterThan(before)
        expect(cut.length).toBeLessThanOrEqual(MAX_PASSAGE_LENGTH)
        expect(tokens).toBeLessThanOrEqual(MOST_TOKENS)
        expect(cut.trim()).toBe(cut)
        covered.fill(1, start, start + cut.length)
        before = start
      }
      const missing = [...text.matchAll(/\S/gu)].filter(({ index }) => covered[index] === 0)
      expect(missing.map(([character]) => character)).toEqual([])
    }),
    { numRuns: 60 },
  )
})

const cut = (text: string, form: { pages?: number; markdown: boolean } = { markdown: true }) =>
  [...cutPassages(text, form)].map(({ text: content, place }) => ({ text: content, ...place }))

describe('a passage', () => {
  test('never crosses a heading, and headings in a row begin one section', () => {
    expect(cut('before\n\n# Title\n## Part ##\ntext\n## Next\nmore')).toEqual([
      { text: 'before', line: 1 },
      { text: '# Title\n## Part ##\ntext', heading: 'Part', line: 3 },
      { text: '## Next\nmore', heading: 'Next', line: 6 },
    ])
  })

  test('takes a comment of code for no heading', () => {
    expect(cut('# Title\n```sh\n# a comment\n```\n#no heading')).toHaveLength(1)
    expect(cut('# a comment\ncode\n# another', { markdown: false })).toEqual([
      { text: '# a comment\ncode\n# another', line: 1 },
    ])
  })

  test('is on one page, and a document cannot imitate another page', () => {
    expect(
      cut('[Page 1]\none\n[Page 7]\n\n[Page 2 has no text.]\n\n[Page 3]\nthree\n[Page 3]\n[Page 4]', {
        pages: 3,
        markdown: false,
      }),
    ).toEqual([
      { text: 'one\n[Page 7]', page: 1, line: 2 },
      { text: 'three\n[Page 3]\n[Page 4]', page: 3, line: 8 },
    ])
  })

  test('repeats the end of the one before it', () => {
    const sentences = Array.from({ length: 60 }, (_, at) => `Sentence number ${String(at)} is about a thing.`)
    const passages = cut(sentences.join(' '))
    expect(passages.length).toBeGreaterThan(1)
    for (const [at, { text }] of passages.slice(1).entries()) {
      const [sentence = ''] = text.split('. ')
      expect(passages[at]?.text).toContain(sentence)
    }
  })
})
