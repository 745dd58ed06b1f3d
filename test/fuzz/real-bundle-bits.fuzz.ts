import { afterAll, describe, expect, it } from 'vitest'
import { evidenceIsThere } from '../core/attestation/evidence-folder.ts'
import { coveredParts, flipBits, type CoveredPart } from '../core/attestation/real-bundle-parts.ts'

/** The whole campaign; a step above one is for a look. */
const step = Number(process.env['SOTTO_FUZZ_BIT_STEP'] ?? 1)

describe.skipIf(!evidenceIsThere)('every bit of the real bundle that a signature or a hash covers', () => {
  const parts: CoveredPart[] = evidenceIsThere ? coveredParts() : []
  let flipped = 0
  afterAll(() => console.log(`${flipped} bits flipped in ${parts.length} parts of the SEV-SNP bundle, one at a time: each was refused unless a test above failed`))

  it.each(parts.map((part) => [part.name, part] as const))('%s', { timeout: 3_600_000 }, (_name, part) => {
    const found = flipBits(part, step)
    flipped += found.flipped
    expect(found.wrong).toEqual([])
  })
})
