import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { joinDraftTexts, savedDraftText } from '../../src/shared/draft-text.ts'

describe('the text of a draft after a save', () => {
  test('is the written text, if the writer knew the text that it replaces', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (stored, written) => {
        expect(savedDraftText(stored, written, stored)).toBe(written)
        expect(savedDraftText(stored, written, undefined)).toBe(written)
      }),
    )
  })

  test('has both texts if another tab saved in between', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), fc.string(), (stored, written, replaces) => {
        fc.pre(replaces !== stored)
        const text = savedDraftText(stored, written, replaces)
        expect(text).toContain(stored)
        expect(text).toContain(written)
      }),
    )
  })

  test('doesn’t repeat a text that was continued', () => {
    expect(joinDraftTexts('Hello', 'Hello there')).toBe('Hello there')
    expect(joinDraftTexts('Hello there', 'Hello')).toBe('Hello there')
    expect(joinDraftTexts('Hello', 'Bye')).toBe('Hello\nBye')
    expect(joinDraftTexts('', 'Bye')).toBe('Bye')
  })
})
