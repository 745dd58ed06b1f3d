import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { verifyEvidence } from '../../src/verifier/index.ts'
import { keyOf, wrappers } from '../verifier/claimed-certificate.ts'
import { builtInTrust, evidenceIsThere, presetPolicy, realEvidence } from '../verifier/evidence-folder.ts'
import { statedFacts, withByte } from '../verifier/stated-facts.ts'

const numRuns = Number(process.env['SOTTO_FUZZ_RUNS'] ?? 10_000)
const DAY = Date.UTC(2026, 1, 1)

describe.skipIf(!evidenceIsThere)('genuine evidence of January 2026', () => {
  const evidence = evidenceIsThere
    ? realEvidence('bundle/genoa-router-bundle.json')
    : Buffer.from('{"enclaveCert":""}')
  const bundle = z.looseObject({ enclaveCert: z.string() }).parse(JSON.parse(evidence.toString()))
  const verify = (bytes: Uint8Array) => verifyEvidence(bytes, builtInTrust, presetPolicy(), DAY)

  it('states the same facts in any certificate over the attested key', { timeout: 3_600_000 }, () => {
    const facts = statedFacts(verify(evidence))
    fc.assert(
      fc.property(wrappers(keyOf(bundle.enclaveCert), DAY), (enclaveCert) => {
        expect(statedFacts(verify(Buffer.from(JSON.stringify({ ...bundle, enclaveCert }))))).toEqual(facts)
      }),
      { numRuns },
    )
  })

  it(
    'states the same facts if it is still accepted after any byte was changed',
    { timeout: 3_600_000 },
    () => {
      const facts = JSON.stringify(statedFacts(verify(evidence)))
      const wrong: number[] = []
      let accepted = 0
      for (let at = 0; at < evidence.length; at++) {
        for (const value of [evidence[at] === 0x41 ? 0x42 : 0x41, 0x20]) {
          const verdict = verify(withByte(evidence, at, value))
          if (verdict.good) accepted++
          if (verdict.good && JSON.stringify(statedFacts(verdict)) !== facts) wrong.push(at)
        }
      }
      console.log(
        `${String(evidence.length)} bytes changed twice each; ${String(accepted)} of the results accepted`,
      )
      expect(wrong).toEqual([])
    },
  )
})
