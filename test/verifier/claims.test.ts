import { createPublicKey } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { verifyEvidence } from '../../src/verifier/index.ts'
import { sandboxProfile } from '../../src/sandbox/profile.ts'
import { bootEnclave } from '../../src/sandbox/world/enclave.ts'
import { mintEvidence } from '../../src/sandbox/world/evidence.ts'
import { Rekor } from '../../src/sandbox/world/rekor.ts'
import { loadRoots, type Roots } from '../../src/sandbox/world/roots.ts'
import type { AttestationPolicy } from '../../src/shared/policy/attestation-policy.ts'
import type { SandboxPlatform } from '../../src/shared/sandbox-faults.ts'
import type { Verdict } from '../../src/shared/verdict.ts'
import {
  builtInTrust,
  evidenceIsThere,
  realEvidence,
  wholePresetPolicy,
  presetPolicy,
} from './evidence-folder.ts'
import { statedFacts, statedFactsExcept, withByte } from './stated-facts.ts'

const { policy } = sandboxProfile('http://127.0.0.1:1') as { policy: AttestationPolicy }
const NOW = Date.UTC(2026, 8, 1)
const NONCE = Buffer.alloc(32, 7)
let folder: string
let roots: Roots
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sotto-roots-'))
  roots = await loadRoots(folder, () => true)
})
afterAll(() => rm(folder, { recursive: true }))

async function minted(platform: SandboxPlatform): Promise<Buffer> {
  return Buffer.from(
    JSON.stringify(
      await mintEvidence({
        platform,
        roots,
        rekor: new Rekor(createPublicKey(roots.rekorKey), roots.rekorKey),
        keys: bootEnclave(),
        faults: new Set(),
        nonce: NONCE,
        now: NOW,
      }),
    ),
  )
}

describe.each(['sev-snp', 'tdx', 'nitro'] as const)('one byte of evidence of %s', (platform) => {
  /** Every 29th byte. */
  it(
    'changes no stated fact if the evidence is still accepted; at most, an optional step isn’t checked',
    { timeout: 240_000 },
    async () => {
      const evidence = await minted(platform)
      const verify = (bytes: Uint8Array): Verdict => verifyEvidence(bytes, roots.trust, policy, NOW, NONCE)
      const original = verify(evidence)
      expect(original.good).toBe(true)
      const facts = JSON.stringify(statedFacts(original))
      const wrong: number[] = []
      for (let at = 0; at < evidence.length; at += 29) {
        const verdict = verify(withByte(evidence, at, evidence[at] === 0x41 ? 0x42 : 0x41))
        if (verdict.good && JSON.stringify(statedFactsExcept(verdict, original)) !== facts) wrong.push(at)
      }
      expect(wrong).toEqual([])
    },
  )
})

describe('the minimum log time', () => {
  it.each(['sev-snp', 'tdx'] as const)(
    'refuses evidence of %s whose release was logged before it, and nothing else',
    async (platform) => {
      const evidence = await minted(platform)
      const verify = (minimumLogTime?: number): Verdict =>
        verifyEvidence(
          evidence,
          roots.trust,
          {
            ...policy,
            ...(minimumLogTime !== undefined && { minimumLogTime: new Date(minimumLogTime).toISOString() }),
          },
          NOW,
        )
      const logTime = verify().release?.loggedAt ?? NaN
      expect(verify().steps.find(({ id }) => id === 'release/minimum-log-time')).toMatchObject({
        outcome: 'not-checked',
        required: false,
      })
      expect(verify(logTime)).toMatchObject({ good: true })
      expect(verify(logTime).steps.find(({ id }) => id === 'release/minimum-log-time')).toMatchObject({
        outcome: 'passed',
        required: true,
      })
      expect(verify(logTime + 1000)).toMatchObject({
        good: false,
        failure: { step: 'release/minimum-log-time', code: 'release/too-old' },
      })
    },
  )

  it.skipIf(!evidenceIsThere)(
    'of the preset refuses genuine evidence of January, and accepts that of August',
    () => {
      const verify = (path: string, now: number): Verdict =>
        verifyEvidence(realEvidence(path), builtInTrust, wholePresetPolicy(), now)
      expect(verify('bundle/genoa-router-bundle.json', Date.UTC(2026, 1, 1))).toMatchObject({
        good: false,
        failure: { code: 'release/too-old' },
      })
      expect(
        verify('2026-08/ppq-bundle-2026-08/attestation-bundle.json', Date.UTC(2026, 7, 15, 12)),
      ).toMatchObject({ good: true, release: { tag: 'v0.0.141' } })
    },
  )
})

describe.skipIf(!evidenceIsThere)('one byte of genuine evidence', () => {
  const DAY = Date.UTC(2026, 1, 1)
  const evidence = evidenceIsThere ? realEvidence('bundle/genoa-router-bundle.json') : Buffer.alloc(0)
  const verify = (bytes: Uint8Array): Verdict => verifyEvidence(bytes, builtInTrust, presetPolicy(), DAY)

  /** Every 37th byte here; `npm run fuzz` changes each of them. */
  it('changes no stated fact if the evidence is still accepted', { timeout: 120_000 }, () => {
    const facts = statedFacts(verify(evidence))
    const wrong: number[] = []
    for (let at = 0; at < evidence.length; at += 37) {
      const verdict = verify(withByte(evidence, at, evidence[at] === 0x41 ? 0x42 : 0x41))
      if (verdict.good && JSON.stringify(statedFacts(verdict)) !== JSON.stringify(facts)) wrong.push(at)
    }
    expect(wrong).toEqual([])
  })
})
