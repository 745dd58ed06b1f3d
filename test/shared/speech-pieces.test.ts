import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { speechPieces } from '../../src/shared/speech-pieces.ts'
import { spokenLength, spokenLimits } from '../../src/shared/audio-limits.ts'

describe('a text to speak', () => {
  it('begins with a short piece, and ends each piece with a sentence', () => {
    const sentence = 'The quick brown fox jumps over the lazy dog, and nobody minds. '
    const pieces = speechPieces(sentence.repeat(200))
    expect(spokenLength(pieces[0] ?? '')).toBeLessThanOrEqual(240)
    expect(pieces.length).toBeLessThan(12)
    for (const piece of pieces) expect(piece).toMatch(/^The .*minds\.$/s)
  })

  it('is one piece if it is short, and none if it is empty', () => {
    expect(speechPieces('  Yes. It is.\n')).toEqual(['Yes. It is.'])
    expect(speechPieces(' \n ')).toEqual([])
  })

  it('splits a sentence that is too long between words, and a word that is too long anywhere', () => {
    const pieces = speechPieces('word '.repeat(1000))
    expect(pieces.join(' ')).toBe('word '.repeat(1000).trim())
    expect(speechPieces('𝒳'.repeat(4100)).map(spokenLength)).toEqual([2000, 2000, 100])
  })

  it('is complete, in pieces that each provider accepts', () => {
    const unit = fc.constantFrom(
      'a',
      'é',
      '😀',
      '. ',
      '! ',
      ' ',
      '\n\n',
      '。',
      'A'.repeat(700),
      'word '.repeat(90),
      '\ud800',
      '👩‍👩‍👧',
    )
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 40 }), (text) => {
        const pieces = speechPieces(text)
        const bare = (value: string): string => value.replaceAll(/\s+/g, '')
        expect(bare(pieces.join(''))).toBe(bare(text.toWellFormed()))
        for (const piece of pieces) {
          expect(spokenLength(piece)).toBeLessThanOrEqual(spokenLimits.first)
          expect(piece.trim()).not.toBe('')
        }
      }),
    )
  })
})
