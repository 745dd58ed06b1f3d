import { beforeAll, describe, expect, it } from 'vitest'
import { assessDirect, type DirectInput } from '../../src/verifier/index.ts'
import { v3Steps } from '../../src/verifier/v3/index.ts'
import { rawX25519, tlsFingerprint } from '../../src/sandbox/world/enclave.ts'
import type { DocumentRequest } from '../../src/sandbox/world/v3/document.ts'
import {
  createEnclave,
  DAY,
  NONCE,
  NOW,
  platforms,
  sandboxPolicy,
  type Enclave,
} from './v3/verified-documents.ts'

const enclaves = new Map<string, Enclave>()
beforeAll(async () => {
  for (const platform of platforms) enclaves.set(platform, await createEnclave(platform))
})

function assess(platform: string, request: Partial<DocumentRequest> = {}, input: Partial<DirectInput> = {}) {
  const enclave = enclaves.get(platform)
  if (!enclave) throw new Error('no enclave')
  return assessDirect({
    evidence: enclave.mint(request),
    nonce: NONCE,
    trust: enclave.world.roots.trust,
    policy: sandboxPolicy,
    now: NOW,
    ...input,
  }).verdict
}

describe.each(platforms)('an enclave without a service on %s', (platform) => {
  it('is verified by document v3, for an hour, with every fact that it signed', () => {
    const verdict = assess(platform)
    const world = enclaves.get(platform)?.world
    if (!world) throw new Error('no world')
    expect(verdict).toMatchObject({
      good: true,
      trust: 'sandbox',
      platform: platform === 'tdx' ? 'Intel TDX' : 'AMD SEV-SNP',
      hpkePublicKey: rawX25519(world.keys.hpke.publicKey).toString('hex'),
      tlsKeyFingerprint: tlsFingerprint(world.keys).toString('hex'),
      release: { tag: world.release.tag, commit: world.release.commit },
      freshness: { kind: 'nonce-bound' },
      verifiedAt: NOW,
      validUntil: NOW + 3600_000,
    })
    expect(verdict.steps.map(({ id }) => id)).toEqual([
      ...v3Steps.names.map(({ id }) => id).filter((id) => id !== 'v3/same-enclave'),
      'release/minimum-log-time',
      'measurement/pinned',
      'release/pinned',
      'tls/connection',
    ])
  })

  it('never claims that the connection’s key was compared', () => {
    expect(assess(platform).steps.at(-1)).toMatchObject({
      id: 'tls/connection',
      outcome: 'not-checked',
      required: false,
    })
  })

  it('is refused by the first step that fails, and the rest isn’t reached', () => {
    const verdict = assess(platform, {}, { nonce: Buffer.alloc(32, 1) })
    expect(verdict).toMatchObject({
      good: false,
      failure: { step: 'v3/nonce', code: 'envelope/nonce-mismatch' },
      validUntil: NOW,
    })
    expect(verdict).not.toHaveProperty('hpkePublicKey')
    expect(verdict.steps.slice(2).every(({ outcome }) => outcome === 'not-reached')).toBe(true)
  })

  it('is refused if its release was logged before the minimum', () => {
    expect(
      assess(platform, {}, { policy: { ...sandboxPolicy, minimumLogTime: '2026-08-20T00:00:00Z' } }),
    ).toMatchObject({ good: false, failure: { step: 'release/minimum-log-time', code: 'release/too-old' } })
    expect(
      assess(platform, {}, { policy: { ...sandboxPolicy, minimumLogTime: '2025-01-02T00:00:00Z' } }),
    ).toMatchObject({ good: true })
  })

  it('is refused if a pin excludes it', () => {
    const pinnedMeasurements = { sevSnp: ['00'.repeat(48)], tdx: [], nitro: [] }
    expect(assess(platform, {}, { policy: { ...sandboxPolicy, pinnedMeasurements } })).toMatchObject({
      good: false,
      failure: { code: 'measurement/not-pinned' },
    })
    expect(
      assess(platform, {}, { policy: { ...sandboxPolicy, pinnedRelease: { tags: ['v0.0.1'] } } }),
    ).toMatchObject({ good: false, failure: { code: 'release/not-pinned' } })
  })

  it('is refused by rules that have none for document v3', () => {
    const { nonceBound: _, ...policy } = sandboxPolicy
    expect(assess(platform, {}, { policy })).toMatchObject({
      good: false,
      failure: { code: 'verifier/internal' },
    })
  })

  it('ends seven days after the earlier witness, if that is within the hour', () => {
    const loggedAt = NOW - 7 * DAY + 60_000
    expect(assess(platform, { codeWitness: { loggedAt } })).toMatchObject({
      good: true,
      validUntil: NOW + 60_000,
    })
    expect(assess(platform, { codeWitness: { loggedAt: NOW - 7 * DAY - 1000 } })).toMatchObject({
      good: false,
      failure: { code: 'freshness/stale' },
    })
  })
})

it('a bundle of a service is no evidence of an enclave that is reached directly', () => {
  expect(
    assess(
      'sev-snp',
      {},
      { evidence: Buffer.from('{"domain":"x","enclaveAttestationReport":{"format":"f","body":""}}') },
    ),
  ).toMatchObject({ good: false, failure: { step: 'v3/document' } })
})
