import { describe, expect, it } from 'vitest'
import { requireKnownLimits } from '../../../../src/core/gateway/relay/known-limits.ts'
import type { JsonObject } from '../../../../src/shared/strict-json.ts'

const refusal = (param: string) =>
  expect.objectContaining({
    code: 'request/invalid',
    details: expect.objectContaining({ param }) as object,
  }) as Error
const images =
  (body: JsonObject, revision: 'A' | 'B' = 'B') =>
  () =>
    requireKnownLimits(
      { endpoint: 'images/generations', body: { model: 'm', prompt: 'x', ...body } },
      revision,
    )
const speech =
  (body: JsonObject, revision: 'A' | 'B' = 'B') =>
  () =>
    requireKnownLimits({ endpoint: 'audio/speech', body }, revision)

describe('limits that the specification states', () => {
  it('images: 1 to 4, and 1 to 10 in Revision A', () => {
    for (const n of [undefined, null, 1, 4]) expect(images(n === undefined ? {} : { n })).not.toThrow()
    for (const n of [0, 5, 1.5, -1, '4', [2]]) {
      expect(images({ n })).toThrow(refusal('n'))
      expect(images({ num_images: n })).toThrow(refusal('num_images'))
    }
    expect(images({ n: 10 }, 'A')).not.toThrow()
    expect(images({ n: 11 }, 'A')).toThrow(refusal('n'))
  })

  it('spoken text: 2,000 characters with the first family, 5,000 with the second', () => {
    const text = (length: number) => 'a'.repeat(length)
    for (const model of [undefined, 'deepgram_aura_2', 'aura-asteria-en']) {
      const named = model === undefined ? {} : { model }
      expect(speech({ ...named, input: text(2000) })).not.toThrow()
      expect(speech({ ...named, input: text(2001) })).toThrow(refusal('input'))
    }
    expect(speech({ model: 'eleven_v3', input: text(5000) })).not.toThrow()
    expect(speech({ model: 'eleven_v3', input: text(5001) })).toThrow(refusal('input'))
    expect(speech({ model: 'eleven_v3', input: text(2001) }, 'A')).toThrow(refusal('input'))
    // A character outside the Basic Multilingual Plane is one.
    expect(speech({ input: '🤫'.repeat(2000) })).not.toThrow()
    expect(speech({ input: '🤫'.repeat(2001) })).toThrow(refusal('input'))
  })
})
