import { afterAll, describe, expect, it } from 'vitest'
import { evidenceIsThere, realEvidence } from '../verifier/evidence-folder.ts'
import { flipBits, targetsOf, type Target } from '../verifier/tdx/bit-flips.ts'
import { compare } from '../verifier/tdx/mutations.ts'
import { savedCollateral, upToDate } from '../verifier/tdx/real-tdx.ts'
import { from, sample, step } from './sampled-bits.ts'

const MUTATIONS = 1000

describe.skipIf(!evidenceIsThere)(
  'the bits of the real TDX evidence that a signature or a hash covers',
  () => {
    const genuine = evidenceIsThere ? upToDate() : undefined
    const targets: Target[] = genuine ? targetsOf(genuine.input, genuine.answers) : []
    let flipped = 0
    afterAll(() =>
      console.log(
        `${sample}: ${flipped} bits flipped in ${targets.length} parts of the TDX evidence, one at a time: each was refused unless a test above failed`,
      ),
    )

    it.each(targets.map((target) => [target.name, target] as const))(
      '%s',
      { timeout: 3_600_000 },
      (_name, target) => {
        const found = flipBits(target, step, from)
        flipped += found.flipped
        expect(found.accepted).toEqual([])
        expect(found.codes).not.toContain('verifier/internal')
      },
    )
  },
)

it.skipIf(!evidenceIsThere)(
  'a thousand mutations of the real TDX evidence, put to @phala/dcap-qvl too',
  { timeout: 3_600_000 },
  () => {
    const saved = {
      quote: realEvidence('tdx/tdx_quote'),
      collateral: savedCollateral('tdx/tdx_quote_collateral.json'),
    }
    const { accepted, refused, explained, unexplained } = compare(saved, upToDate().input, MUTATIONS)
    expect(unexplained).toEqual([])
    console.log(
      `${MUTATIONS} mutations: ${accepted} changed nothing that counts, ${refused} were refused here; of these dcap-qvl accepted`,
    )
    for (const [{ part, code, because }, count] of explained)
      console.log(`  ${count} of ${part} (${code}): ${because}`)
  },
)
