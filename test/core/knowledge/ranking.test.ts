import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Bm25Index } from '../../../src/core/knowledge/bm25.ts'
import { countWords } from '../../../src/core/knowledge/count-words.ts'
import { diversify } from '../../../src/core/knowledge/diversity.ts'
import { stem } from '../../../src/core/knowledge/stem.ts'

const indexOf = (texts: readonly string[], headings: readonly string[] = []) => {
  const index = new Bm25Index()
  for (const [at, text] of texts.entries()) index.add(countWords(text), countWords(headings[at] ?? ''))
  return index
}
const unitsOf = (index: Bm25Index, query: string) =>
  index.find(countWords(query).keys(), 10).map(({ unit }) => unit)

describe('words', () => {
  test.each([
    ['index', 'indexes', 'indexed', 'indexing'],
    ['make', 'makes', 'making'],
    ['reply', 'replies', 'replied'],
    ['run', 'runs', 'running'],
    ['class', 'classes'],
  ])('of one family have one stem: %s', (word, ...forms) => {
    for (const form of forms) expect(stem(form), form).toBe(stem(word))
  })

  test('that only look like one keep their end', () => {
    expect(['sing', 'bed', 'gas', 'bus', 'x86', 'größe', 'thing'].map(stem)).toEqual([
      'sing',
      'bed',
      'gas',
      'bus',
      'x86',
      'größe',
      'thing',
    ])
  })

  test('fold case, accents and widths, and are cut in scripts without spaces', () => {
    expect([...countWords('Ｃafé CAFÉS').entries()]).toEqual([['caf', 2]])
    expect(countWords('東京の図書館').get('東京')).toBe(1)
    expect(countWords('東京の図書館').has('図書')).toBe(true)
    expect(countWords('ห้องสมุด').size).toBeGreaterThan(0)
  })
})

describe('ranking', () => {
  test('prefers rare words, short texts, and headings', () => {
    expect(unitsOf(indexOf(['the cat', 'the dog', 'the otter']), 'the otter')[0]).toBe(2)
    expect(unitsOf(indexOf(['otter and many other words of a long text', 'otter']), 'otter')).toEqual([1, 0])
    expect(unitsOf(indexOf(['an otter swims', 'an otter swims'], ['', 'Otters']), 'otters')).toEqual([1, 0])
    expect(unitsOf(indexOf(['one', 'two']), 'three')).toEqual([])
    expect(unitsOf(new Bm25Index(), 'three')).toEqual([])
  })

  test('is that of Okapi BM25', () => {
    const [hit] = indexOf(['red green', 'blue blue blue red']).find(countWords('blue').keys(), 1)
    const idf = Math.log(1 + (2 - 1 + 0.5) / (1 + 0.5))
    expect(hit?.score).toBeCloseTo((idf * 3 * 2.2) / (3 + 1.2 * (1 - 0.75 + (0.75 * 4) / 3)), 10)
  })

  test('finds a text by its own words first, and always the same', () => {
    const texts = fc.array(fc.stringMatching(/^[b-d]{4,7}$/), { minLength: 3, maxLength: 12 })
    fc.assert(
      fc.property(fc.array(texts, { minLength: 1, maxLength: 8 }), fc.nat(), (written, pick) => {
        const at = pick % written.length
        // A word that no other text has.
        const all = written.map((text, unit) => [...text, `unique${'e'.repeat(unit)}x`].join(' '))
        const found = indexOf(all).find(countWords(all[at] ?? '').keys(), 10)
        expect(found.map(({ unit }) => unit)).toContain(at)
        expect(indexOf(all).find(countWords(all[at] ?? '').keys(), 10)).toEqual(found)
      }),
      { numRuns: 50 },
    )
  })
})

describe('diversity', () => {
  const candidate = (documentId: string, score: number, text: string) => ({
    documentId,
    score,
    terms: new Set(text.split(' ')),
    text,
  })
  const select = (...candidates: ReturnType<typeof candidate>[]) =>
    diversify(candidates, { most: 3, mostPerDocument: 2 }).map(({ text }) => text)

  test('leaves out near duplicates, also of other documents', () => {
    expect(
      select(candidate('a', 3, 'x y z'), candidate('b', 2.9, 'x y z'), candidate('c', 1, 'u v')),
    ).toEqual(['x y z', 'u v'])
  })

  test('takes only some passages of a document', () => {
    expect(
      select(candidate('a', 4, 'p'), candidate('a', 3, 'q'), candidate('a', 2, 'r'), candidate('b', 1, 's')),
    ).toEqual(['p', 'q', 's'])
  })

  test('prefers what is new among passages of about the same score', () => {
    expect(
      select(candidate('a', 4, 'a b c d'), candidate('b', 3.9, 'a b c e'), candidate('c', 3.8, 'f g')),
    ).toEqual(['a b c d', 'f g', 'a b c e'])
    expect(select()).toEqual([])
  })
})
