import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { countTextTokens, piecesOf } from '../../../../src/core/gateway/tokens/text.ts'
import { textTokens } from '../../../../src/shared/token-estimate.ts'

/** The words on both sides of a cut can become one word. */
const MOST_AT_A_CUT = 8
const ROOT = new URL('../../../../', import.meta.url)
const file = (path: string) => readFileSync(new URL(path, ROOT), 'utf8')
const translations = (language: string) =>
  [...file(`src/renderer/languages/${language}.po`).matchAll(/^msgstr "(.+)"$/gm)]
    .map(([, text]) => text)
    .join('\n')

describe('countTextTokens', () => {
  // Published by OpenAI for o200k_base (Cookbook, "How to count tokens with tiktoken").
  it.each([
    ['', 0],
    ['hello world', 2],
    ['antidisestablishmentarianism', 6],
    ['2 + 2 = 4', 7],
    ['お誕生日おめでとう', 8],
  ])('%j: %i', async (text, tokens) => {
    expect(await countTextTokens(text)).toBe(tokens)
  })

  it('counts the names of special tokens as text', async () => {
    expect(await countTextTokens('<|endoftext|>')).toBeGreaterThan(1)
  })

  it('counts a long text in pieces, with an error below 1 %', async () => {
    const { countTokens: whole } = await import('gpt-tokenizer/encoding/o200k_base')
    const text = file('CHANGELOG.md')
    const tokens = await countTextTokens(text)
    expect(Math.abs(tokens - whole(text))).toBeLessThan(whole(text) / 100)
  })

  it('counts long runs without spaces', async () => {
    expect(await countTextTokens('a'.repeat(200_000))).toBeLessThan(30_000)
    expect(await countTextTokens('天'.repeat(100_000))).toBeGreaterThanOrEqual(50_000)
  }, 60_000)

  it('let other work continue between pieces', async () => {
    let turns = 0
    const others = setInterval(() => turns++, 0)
    await countTextTokens(file('CHANGELOG.md').repeat(10))
    clearInterval(others)
    expect(turns).toBeGreaterThan(3)
  })
})

describe('two joined texts', () => {
  it('have the tokens of both, except for a few at the cut', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.string({ unit: 'grapheme', maxLength: 400 }),
        fc.string({ unit: 'grapheme', maxLength: 400 }),
        async (one, other) => {
          const [a, b, both] = await Promise.all([
            countTextTokens(one),
            countTextTokens(other),
            countTextTokens(one + other),
          ])
          expect(Math.abs(a + b - both)).toBeLessThanOrEqual(MOST_AT_A_CUT)
        },
      ),
    )
  })
})

describe('text pieces', () => {
  it('join to the text, never exceed their length, and split no character', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme', maxLength: 200 }),
        fc.integer({ min: 1, max: 20 }),
        (text, piece) => {
          const pieces = [...piecesOf(text, piece)]
          expect(pieces.join('')).toBe(text)
          expect(pieces.every(({ length }) => length >= 1 && length <= piece)).toBe(true)
          if (piece > 1) expect(pieces.every((part) => part.isWellFormed())).toBe(true)
        },
      ),
    )
  })

  it('end at the limit of the encoder', () => {
    expect([...piecesOf('a b c d e f', 3, 6)].join('')).toBe('a b c ')
  })
})

describe('textTokens, the estimate without a table', () => {
  it.each([
    ...[
      'README.md',
      'docs/known-issues.md',
      'src/core/gateway/answer/reader.ts',
      'src/renderer/app.module.css',
      'package.json',
    ].map((path) => ({ name: path, text: () => file(path) })),
    ...['de', 'es', 'fr', 'he', 'ja', 'ko', 'pt-BR', 'zh-Hans'].map((language) => ({
      name: language,
      text: () => translations(language).slice(0, 40_000),
    })),
  ])('$name: within 15 % of the encoder', async ({ text }) => {
    const share = textTokens(text()) / (await countTextTokens(text()))
    expect(share).toBeGreaterThan(0.87)
    expect(share).toBeLessThan(1.15)
  })
})
