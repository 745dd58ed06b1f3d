import { describe, expect, it } from 'vitest'
import { evidenceIsThere } from './evidence-folder.ts'
import { coveredParts, flipBits, type CoveredPart } from './real-bundle-parts.ts'

/** Of each part so many bits, spread over its length; `npm run fuzz` flips every one. A release costs ten times what a report does. */
const SAMPLES = new Map([
  ['report', 101],
  ['VCEK', 101],
  ['packed report', 31],
])
const OTHERS = 7

describe.skipIf(!evidenceIsThere)('the bundle of a production router', () => {
  const parts: CoveredPart[] = evidenceIsThere ? coveredParts() : []

  it('is valid if every part is unchanged', () => {
    expect(parts.map(({ name, bytes, verify }) => [name, verify(bytes)])).toEqual(
      parts.map(({ name }) => [name, 'good']),
    )
    expect(parts.length).toBeGreaterThan(30)
  })

  it('is refused with any one bit flipped that a signature or a hash covers', { timeout: 120_000 }, () => {
    // An odd step, so that every bit of a byte has its turn.
    const found = parts.map((part) =>
      flipBits(part, Math.floor((part.bytes.length * 8) / (SAMPLES.get(part.name) ?? OTHERS)) | 1),
    )
    expect(found.flatMap(({ wrong }) => wrong)).toEqual([])
  })
})
