import { afterAll, describe, expect, it } from 'vitest'
import { evidenceIsThere } from '../verifier/evidence-folder.ts'
import { coveredParts, flipBits, type CoveredPart } from '../verifier/real-bundle-parts.ts'
import { from, sample, step } from './sampled-bits.ts'

describe.skipIf(!evidenceIsThere)('the bits of the real bundle that a signature or a hash covers', () => {
  const parts: CoveredPart[] = evidenceIsThere ? coveredParts() : []
  let flipped = 0
  afterAll(() =>
    console.log(
      `${sample}: ${flipped} bits flipped in ${parts.length} parts of the SEV-SNP bundle, one at a time: each was refused unless a test above failed`,
    ),
  )

  it.each(parts.map((part) => [part.name, part] as const))('%s', { timeout: 3_600_000 }, (_name, part) => {
    const found = flipBits(part, step, from)
    flipped += found.flipped
    expect(found.wrong).toEqual([])
  })
})
