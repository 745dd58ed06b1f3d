// @vitest-environment happy-dom
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Message } from '../../src/shared/conversation.ts'
import {
  findMatches,
  findPattern,
  rangesIn,
  withoutMarks,
} from '../../src/renderer/features/chat/find/find-matches.ts'

const shown = (...texts: readonly string[]) =>
  texts.map((text, place) => ({
    message: { id: `m${String(place)}`, text, role: 'user' } as unknown as Message,
    at: 0,
    of: 1,
  }))

function pattern(query: string): RegExp {
  const result = findPattern(query)
  if (!result) throw new Error('The query has no visible character.')
  return result
}

describe('the pattern of a query', () => {
  it('is missing for white space only', () => {
    expect(findPattern(' \n')).toBeUndefined()
  })

  it.each([
    ['ignores case', 'straße', 'STRAßE'],
    ['treats white space alike', 'two words', 'two\n  words'],
    ['finds decomposed characters', 'é', 'e\u0301'],
    ['finds composed characters', 'e\u0301', 'é'],
    ['takes signs literally', '$x^2 (a|b)/[c].*', '$x^2 (a|b)/[c].*'],
    ['finds Chinese', '中文', '这是中文。'],
  ])('%s', (_, query, text) => {
    expect(findMatches(shown(text), pattern(query))).toEqual([{ messageId: 'm0', nth: 0 }])
  })

  it('accepts any query', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), (query) => {
        const result = findPattern(query)
        if (result) expect(query.trim()).toMatch(result)
      }),
    )
  })
})

const reply = (text: string) =>
  shown(text).map((row) => ({ ...row, message: { ...row.message, role: 'assistant' as const } }))

describe('the matches of a branch', () => {
  it('are listed from first to last, with their place in the message', () => {
    expect(findMatches(shown('a b a', 'c', 'A'), pattern('a'))).toEqual([
      { messageId: 'm0', nth: 0 },
      { messageId: 'm0', nth: 1 },
      { messageId: 'm2', nth: 0 },
    ])
  })

  it('are found in a reply across its marks, links and code', () => {
    const rows = reply('See **the [new** docs](https://a.example/x_y) of `open file`, _once_ ~~more~~ now')
    for (const query of ['the new docs of open file', 'once more now'])
      expect(findMatches(rows, pattern(query))).toHaveLength(1)
    expect(findMatches(rows, pattern('a.example'))).toEqual([])
  })

  it('leave out the thoughts that a model writes into its reply', () => {
    expect(findMatches(reply('<think>\nA needle?\n</think>\nA needle.'), pattern('needle'))).toEqual([
      { messageId: 'm0', nth: 0 },
    ])
  })

  it('leave damaged messages out', () => {
    const [first] = shown('a')
    expect(first).toBeDefined()
    if (first)
      expect(findMatches([{ ...first, message: { ...first.message, damaged: true } }], pattern('a'))).toEqual(
        [],
      )
  })
})

describe('the text of a reply', () => {
  it.each(['2 * 3 = 6', 'snake_case_name', 'a ~ b', 'x*y'])('leaves %s as it is', (text) => {
    expect(withoutMarks(text)).toBe(text)
  })
})

describe('the ranges in the page', () => {
  const page = (html: string) => {
    document.body.innerHTML = html
    return document.body
  }
  const texts = (html: string, query: string) =>
    rangesIn(page(html), pattern(query), 'button').map((range) => range.toString())

  it('reach over emphasis and links', () => {
    expect(texts('<p>a <strong>pri<em>va</em></strong>te key</p>', 'private')).toEqual(['private'])
  })

  it('don’t reach from one block into the next', () => {
    expect(texts('<p>pri</p><p>vate</p>', 'private')).toEqual([])
    expect(texts('<ul><li>pri</li><li>vate</li></ul>', 'private')).toEqual([])
  })

  it('leave out what isn’t text of the message', () => {
    expect(texts('<p>copy</p><button>copy</button>', 'copy')).toEqual(['copy'])
  })

  it('are the matches of the text, however it is divided into elements', () => {
    fc.assert(
      fc.property(fc.array(fc.stringMatching(/^[abA ]{0,4}$/), { maxLength: 8 }), (pieces) => {
        const html = `<p>${pieces.map((piece, at) => (at % 2 ? `<b>${piece}</b>` : piece)).join('')}</p>`
        const expected = [...pieces.join('').matchAll(/ab/gi)].map(([match]) => match)
        expect(texts(html, 'ab')).toEqual(expected)
      }),
    )
  })
})
