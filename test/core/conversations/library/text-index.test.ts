import fc from 'fast-check'
import { expect, test } from 'vitest'
import { excerptOf } from '../../../../src/core/conversations/library/excerpt.ts'
import { fold, foldWithPlaces } from '../../../../src/shared/text-index/fold.ts'
import { TextIndex } from '../../../../src/core/conversations/library/text-index.ts'
import { piecesOf, wantedOf } from '../../../../src/shared/text-index/split-words.ts'

const texts = fc
  .array(
    fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 12 }),
      fc.stringMatching(/^[a-cé]{1,3}$/),
      fc.constantFrom('東京', '大学', 'か', 'が', 'ﾀﾞ', 'ไทย', '한국', 'Straße', 'ΟΔΟΣ', '𠮷野家'),
    ),
    { maxLength: 8 },
  )
  .map((parts) => parts.join(' '))

const idsOf = (index: TextIndex, question: string) =>
  [...index.find(wantedOf(fold(question)))].flatMap(({ messageIds }) => messageIds)

test('folding piece by piece is folding, with a way back to every place', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const { text: folded, places } = foldWithPlaces(text)
      expect(folded).toBe(fold(text))
      expect(places).toHaveLength(folded.length + 1)
      expect(
        places.every(
          (place, index) => place >= 0 && place <= text.length && place >= (places[index - 1] ?? 0),
        ),
      ).toBe(true)
    }),
  )
})

test('what is added is found by each of its words and by their beginnings, and shown with marks on them', () => {
  fc.assert(
    fc.property(fc.array(texts, { minLength: 1, maxLength: 6 }), (all) => {
      const index = new TextIndex()
      index.putConversation('c', '', 0)
      all.forEach((text, at) => index.putMessage('c', `m${String(at)}`, text))
      all.forEach((text, at) => {
        for (const { text: piece } of piecesOf(fold(text))) {
          for (const question of [piece, Array.from(piece).slice(0, 2).join('')]) {
            expect(idsOf(index, question)).toContain(`m${String(at)}`)
            const excerpt = excerptOf(text, wantedOf(fold(question)))
            expect(excerpt?.marks.length).toBeGreaterThan(0)
            for (const [from, to] of excerpt?.marks ?? [])
              expect(fold(excerpt?.text.slice(from, to) ?? '')).toContain(fold(question))
          }
        }
      })
    }),
  )
})

test('what is removed or replaced is not found any more, whatever was done in whatever order', () => {
  const step = fc.record({
    what: fc.constantFrom('put', 'remove', 'drop'),
    conversation: fc.nat(2),
    message: fc.nat(3),
    word: fc.constantFrom('alpha', 'beta', '東京', 'gamma'),
  })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const index = new TextIndex()
      const model = new Map<string, string>()
      for (let conversation = 0; conversation < 3; conversation += 1)
        index.putConversation(String(conversation), 'title', conversation)
      for (const { what, conversation, message, word } of steps) {
        const id = `${String(conversation)}/${String(message)}`
        if (what === 'put') {
          index.putMessage(String(conversation), id, word)
          model.set(id, word)
        } else if (what === 'remove') {
          index.removeMessage(id)
          model.delete(id)
        } else {
          index.removeConversation(String(conversation))
          index.putConversation(String(conversation), 'title', conversation)
          for (const key of model.keys()) if (key.startsWith(`${String(conversation)}/`)) model.delete(key)
        }
      }
      for (const word of ['alpha', 'beta', '東京', 'gamma']) {
        expect(idsOf(index, word).toSorted()).toEqual(
          [...model]
            .filter(([, stored]) => stored === word)
            .map(([id]) => id)
            .toSorted(),
        )
      }
      expect(index.units).toBe(model.size + 3)
    }),
  )
})
