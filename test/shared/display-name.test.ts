import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cleanDisplayName, clipDisplayName, displayName } from '../../src/shared/display-name.ts'

/** Stated apart from the code: what may never be in a name. */
const FORBIDDEN =
  /[\p{Cc}\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/u

const hostile = fc.constantFrom(
  '\u202a',
  '\u202b',
  '\u202c',
  '\u202d',
  '\u202e',
  '\u2066',
  '\u2067',
  '\u2068',
  '\u2069',
  '\u200e',
  '\u200f',
  '\u061c',
  '\u200b',
  '\u200c',
  '\u200d',
  '\u2060',
  '\ufeff',
  '\u{e0001}',
  '\u{e0041}',
  '\u{e007f}',
  '\ufe0e',
  '\ufe0f',
  '\u{e0100}',
  '\u0000',
  '\u001b',
  '\u0085',
  '\u009b',
  '\n',
  '\r\n',
  '\t',
  '\u2028',
  '\u2029',
  '\u00a0',
  '\u3000',
  '\u3164',
  '\ud800',
  '\udc00',
)
const letter = fc.constantFrom(
  'a',
  'é',
  'e\u0301',
  'م',
  'ی',
  'क',
  '्',
  '👩',
  '🏽',
  '💻',
  '❤',
  '1',
  '\u20e3',
  ' ',
  '-',
  '漢',
)
const text = fc
  .array(fc.oneof(hostile, letter, fc.string({ unit: 'binary', maxLength: 3 })), { maxLength: 40 })
  .map((parts) => parts.join(''))

describe('a display name', () => {
  it('has nothing unseen in it, is one line of well-formed NFC, and is clean already', () => {
    fc.assert(
      fc.property(text, (input) => {
        const name = cleanDisplayName(input)
        expect(name).not.toMatch(FORBIDDEN)
        expect(name.isWellFormed()).toBe(true)
        expect(name).toBe(name.normalize('NFC').trim())
        expect(name).not.toMatch(/\s\s|[^\S ]/)
        expect(cleanDisplayName(name)).toBe(name)
      }),
      { numRuns: 3000 },
    )
  })

  it('is empty if nothing of it can be seen', () => {
    fc.assert(
      fc.property(
        fc.array(hostile.filter((mark) => mark.isWellFormed())).map((parts) => parts.join('')),
        (input) => {
          expect(cleanDisplayName(input)).toBe('')
        },
      ),
    )
  })

  it('does not tell apart what only unseen characters tell apart', () => {
    fc.assert(
      fc.property(
        fc.stringMatching(/^[a-z]{1,10}$/),
        fc.array(
          fc.tuple(
            fc.nat(10),
            hostile.filter((mark) => !/\s/.test(mark) && mark.isWellFormed()),
          ),
        ),
        (name, marks) => {
          let input = name
          for (const [at, mark] of marks)
            input = Array.from(input)
              .toSpliced(at % (name.length + 1), 0, mark)
              .join('')
          expect(cleanDisplayName(input)).toBe(name)
        },
      ),
    )
  })

  it.each([
    ['photo\u202egnp.exe', 'photognp.exe'],
    ['gpt\u200b-4', 'gpt-4'],
    ['\ufeffgpt-4', 'gpt-4'],
    ['a\u2066b\u2069c', 'abc'],
    ['a\n\u2028 b', 'a b'],
    ['  a  ', 'a'],
    ['e\u0301', 'é'],
    ['gpt\u{e0067}\u{e0070}-4', 'gpt-4'],
    ['a\ufe0fb', 'ab'],
    ['a\u200db', 'ab'],
    ['a\u200cb', 'ab'],
    ['\u001b[31mred', '[31mred'],
  ])('%j becomes %j', (input, name) => expect(cleanDisplayName(input)).toBe(name))

  it.each([
    ['emoji of several', '👩🏽‍💻'],
    ['a family', '👨‍👩‍👧'],
    ['a heart in colour', '❤️'],
    ['a keycap', '1️⃣'],
    ['a flag', '🏳️‍🌈'],
    ['Persian with a non-joiner', 'می\u200cخواهم'],
    ['Hindi with a joiner', 'क्\u200dष'],
    ['Hebrew', 'שלום עולם'],
    ['Japanese', '東京の天気'],
    ['marks', 'Ünïcödé “quotes” – and more…'],
  ])('%s stays as it is', (_what, name) => expect(cleanDisplayName(name)).toBe(name))

  it('is cut between characters', () => {
    expect(clipDisplayName('ab👩', 3)).toBe('ab')
    expect(clipDisplayName('ab👩', 4)).toBe('ab👩')
  })

  it('as a schema is cleaned before its length is looked at, and has to be something', () => {
    expect(displayName(3).parse(' a\u200bbc ')).toBe('abc')
    expect(displayName(3).safeParse('abcd').success).toBe(false)
    expect(displayName(3).safeParse('\u202e\u200b').success).toBe(false)
  })
})
