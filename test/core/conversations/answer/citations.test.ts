import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readStep } from '../../../../src/core/gateway/answer/index.ts'
import { Citations } from '../../../../src/core/conversations/answer/citations.ts'
import { citationsSchema } from '../../../../src/shared/answer-parts.ts'

function read(lists: readonly unknown[], length = 1000) {
  const citations = new Citations()
  for (const list of lists)
    citations.add(readStep({ choices: [{ delta: {} }], citations: list })?.sources ?? [])
  return citations.list(length)
}
const annotation = (url: unknown, rest: object = {}) => ({
  type: 'url_citation',
  url_citation: { url, ...rest },
})

describe('the source formats of services', () => {
  it('include nested and flat annotations with their positions', () => {
    expect(
      read([
        [annotation('https://a.example/x', { title: 'A', content: 'said', start_index: 3, end_index: 9 })],
      ]),
    ).toEqual([{ url: 'https://a.example/x', title: 'A', excerpt: 'said', marks: [9] }])
    expect(
      read([[{ type: 'url_citation', url: 'https://a.example/', title: 'A', start_index: 0, end_index: 4 }]]),
    ).toEqual([{ url: 'https://a.example/', title: 'A', marks: [4] }])
  })
  it('include a list of addresses and results with titles: each source is listed once, in the original order', () => {
    expect(
      read([
        ['https://a.example', 'https://b.example/?q=1'],
        [
          { title: 'B', url: 'https://b.example/?q=1', snippet: 'b', date: null },
          { url: 'https://c.example/' },
        ],
      ]),
    ).toEqual([
      { url: 'https://a.example/' },
      { url: 'https://b.example/?q=1', title: 'B', excerpt: 'b' },
      { url: 'https://c.example/' },
    ])
  })
  it('allow a source at several positions: all of its marks are listed once, in order', () => {
    const at = (end_index: number) => annotation('https://a.example/', { start_index: 0, end_index })
    expect(read([[at(9), at(3)], [at(9)]])).toEqual([{ url: 'https://a.example/', marks: [3, 9] }])
  })
  it('include no mark for a position that is invalid or beyond the text', () => {
    for (const place of [
      { start_index: 0, end_index: 0 },
      { start_index: 5, end_index: 3 },
      { start_index: 0, end_index: 2.5 },
      { end_index: -1 },
      { end_index: '7' },
      { end_index: 1e300 },
      { end_index: 11 },
      {},
    ]) {
      expect(read([[annotation('https://a.example/', place)]], 10)).toEqual([{ url: 'https://a.example/' }])
    }
  })
})

describe('hostile sources', () => {
  it.each([
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    'data:text/html,x',
    'file:///etc/passwd',
    'ftp://a.example/',
    'blob:https://a.example/x',
    '//a.example',
    '/x',
    '',
    ' ',
    'https://',
    'https://user:pass@a.example/',
    'https://bank.example@evil.example/',
    `https://a.example/${'x'.repeat(2000)}`,
    `https://a.example/${' '.repeat(700)}x`,
    7,
    null,
    {},
    [],
  ])('%j is not a source', (url) => {
    expect(read([[annotation(url)], [url], [{ url }]])).toBeUndefined()
  })
  it('titles are one line, without bidirectional and invisible characters', () => {
    expect(
      read([
        [
          annotation('https://a.example/', {
            title: 'a\u202Egnp.exe\u2066\u0000\n\n b',
            content: '\u0007\u200f',
          }),
        ],
      ]),
    ).toEqual([{ url: 'https://a.example/', title: 'agnp.exe b' }])
  })
  it('sources are limited in number and length, and other forms are ignored', () => {
    expect(read([Array.from({ length: 10_000 }, (_, at) => `https://a.example/${String(at)}`)])).toHaveLength(
      50,
    )
    const long = read([
      [annotation('https://a.example/', { title: 'x'.repeat(1e6), content: 'y'.repeat(1e6) })],
    ])
    expect([long?.[0]?.title?.length, long?.[0]?.excerpt?.length]).toEqual([300, 2000])
    for (const list of [undefined, null, 'https://a.example', { 0: 'https://a.example' }, 7])
      expect(read([list])).toBeUndefined()
    expect(
      read([[{ type: 'file_citation', file_citation: { file_id: 'x' } }, null, [], 'nothing']]),
    ).toBeUndefined()
  })
  it('a source has at most twenty marks', () => {
    expect(
      read([
        Array.from({ length: 100 }, (_, at) =>
          annotation('https://a.example/', { start_index: 0, end_index: at + 1 }),
        ),
      ])?.[0]?.marks,
    ).toHaveLength(20)
  })
})

const address = fc.oneof(
  fc.webUrl({ withQueryParameters: true, withFragments: true }),
  fc.constantFrom(
    'https://a.example/',
    'http://b.example/x',
    'javascript:x',
    'https://a.example/\u202e',
    'https://a.example/"<>',
  ),
  fc.string(),
)
const item = fc.oneof(
  address,
  fc.jsonValue(),
  fc.record(
    { url: address, title: fc.string({ unit: 'binary' }), content: fc.string() },
    { requiredKeys: ['url'] },
  ),
  fc.record({
    type: fc.constant('url_citation'),
    url_citation: fc.record(
      {
        url: address,
        title: fc.oneof(fc.string({ unit: 'binary' }), fc.integer()),
        start_index: fc.integer(),
        end_index: fc.oneof(fc.integer(), fc.double()),
      },
      { requiredKeys: [] },
    ),
  }),
)

it('any input, in any pieces, results only in valid web sources, each once', () => {
  fc.assert(
    fc.property(
      fc.array(fc.array(item, { maxLength: 8 }), { maxLength: 8 }),
      fc.nat(100),
      (lists, length) => {
        const citations = read(lists, length) ?? []
        expect(citationsSchema.parse(citations)).toEqual(citations)
        expect(new Set(citations.map(({ url }) => url)).size).toBe(citations.length)
        for (const { url, marks = [] } of citations) {
          expect(new URL(url).href).toBe(url)
          for (const mark of marks) expect(mark > 0 && mark <= length).toBe(true)
        }
        expect(read([lists.flat()], length) ?? []).toEqual(citations)
      },
    ),
    { numRuns: 300 },
  )
})
