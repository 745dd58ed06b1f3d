import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { makeProof, readSavedEvidence } from '../../../../src/core/gateway/channel/proof.ts'
import type { CollateralRecord } from '../../../../src/shared/collateral-record.ts'
import { SottoError } from '../../../../src/shared/errors.ts'
import { MAX_PROOF_BYTES } from '../../../../src/shared/proof.ts'
import type { AttestationPolicy } from '../../../../src/shared/policy/attestation-policy.ts'
import type { TrustSet } from '../../../../src/shared/trust.ts'
import type { Verdict } from '../../../../src/shared/verdict.ts'

const trust: TrustSet = {
  name: 'sandbox',
  amd: { Genoa: { ark: Buffer.from('ark'), ask: Buffer.from('ask') } },
  sigstoreTrustedRoot: '{}',
  awsNitroRoot: Buffer.from('aws'),
}
const policy: AttestationPolicy = {
  enclaveHost: 'e.example',
  certificateLabelSuffix: 'e.example',
  nitro: { images: [{ pcr0: 'ab'.repeat(48) }] },
  code: {
    repository: 'o/r',
    oidcIssuer: 'https://issuer.example',
    refPrefix: 'refs/tags/',
    runnerEnvironment: 'github-hosted',
    predicateTypes: ['p'],
  },
}
const verdict: Verdict = {
  good: false,
  steps: [],
  trust: 'sandbox',
  enclaveHost: 'e.example',
  verifiedAt: Date.parse('2026-01-01'),
  validUntil: 0,
  evidenceDigest: 'ab'.repeat(32),
  failure: { step: 's', code: 'evidence/malformed', says: 'x' },
}
const evidence = Buffer.from([0, 1, 2, 255, 254])
const nonce = Buffer.alloc(32, 7)
const proof = makeProof({ evidence, nonce, trust, policy, verdict })
const bytes = (value: unknown) => Buffer.from(JSON.stringify(value))
const codeOf = (read: () => unknown): string => {
  try {
    read()
    return 'none'
  } catch (thrown) {
    return thrown instanceof SottoError ? thrown.code : 'other'
  }
}

describe('a proof file', () => {
  it('gives back the evidence byte for byte, with its nonce', () => {
    const saved = readSavedEvidence(bytes(proof))
    expect(Buffer.from(saved.evidence).equals(evidence)).toBe(true)
    expect(Buffer.from(saved.nonce!).equals(nonce)).toBe(true)
    expect(saved.proof).toEqual(JSON.parse(JSON.stringify(proof)))
  })

  it('gives back the statements of vendors that the verdict came from', () => {
    const collateral: CollateralRecord[] = [
      { name: 'amd-crl/Genoa', version: 5, list: 'AAAA' },
      { name: 'intel-qe-identity', version: 18 },
    ]
    expect(
      readSavedEvidence(bytes(makeProof({ evidence, trust, policy, verdict, collateral }))).collateral,
    ).toEqual(collateral)
    expect(readSavedEvidence(bytes(proof))).not.toHaveProperty('collateral')
    for (const record of [
      { name: 'amd-crl/Naples', version: 5 },
      { name: 'other', version: 5 },
      { name: 'intel-tcb-info/xyz', version: 5 },
      { name: 'intel-root-crl', version: -1 },
      { name: 'intel-root-crl', version: 5, list: '!' },
      { name: 'intel-root-crl', version: 5, list: 'A'.repeat(90_000) },
      { name: 'intel-root-crl', version: 5, more: 1 },
      { name: 'intel-root-crl' },
    ])
      expect([record, codeOf(() => readSavedEvidence(bytes({ ...proof, collateral: [record] })))]).toEqual([
        record,
        'proof/malformed',
      ])
  })

  it('names every root by its fingerprint, and the time of the verdict', () => {
    expect(proof.trust.roots.map(({ name }) => name)).toEqual([
      'AMD ARK, Genoa',
      'AMD ASK, Genoa',
      'AWS Nitro root',
      'Sigstore trusted root',
    ])
    expect(proof.trust.roots[3]!.sha256).toBe(
      '44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a',
    )
    expect(proof.savedAt).toBe('2026-01-01T00:00:00.000Z')
  })

  it('of another version, of another form, or too large is refused by its own code', () => {
    expect(codeOf(() => readSavedEvidence(bytes({ ...proof, format: 'sotto-proof/v3' })))).toBe(
      'proof/unsupported-version',
    )
    expect(codeOf(() => readSavedEvidence(Buffer.alloc(MAX_PROOF_BYTES + 1, 32)))).toBe('proof/too-large')
    const { evidence: _, ...without } = proof
    for (const changed of [
      without,
      { ...proof, more: 1 },
      { ...proof, evidence: '' },
      { ...proof, evidence: 'AAAB=' },
      { ...proof, evidence: 'AAF=' },
      { ...proof, nonce: 'AB'.repeat(32) },
      { ...proof, nonce: '00' },
      { ...proof, savedAt: 'yesterday' },
      { ...proof, trust: { ...proof.trust, name: 'mine' } },
      { ...proof, trust: { ...proof.trust, roots: [{ name: 'x', sha256: 'zz' }] } },
      { ...proof, policy: [] },
      { ...proof, verdict: { good: 'yes' } },
    ])
      expect([changed, codeOf(() => readSavedEvidence(bytes(changed)))]).toEqual([changed, 'proof/malformed'])
  })

  it('that names a member twice is no proof: its bytes are judged as evidence, and refused as such', () => {
    const text = JSON.stringify(proof).replace('{', '{"format":"sotto-proof/v2",')
    expect(readSavedEvidence(Buffer.from(text))).toEqual({ evidence: Buffer.from(text) })
  })
})

it('anything else is plain evidence, as it is, or a coded refusal', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.uint8Array({ maxLength: 200 }),
        fc.json().map((text) => Buffer.from(text)),
      ),
      (input) => {
        expect(readSavedEvidence(input)).toEqual({ evidence: input })
      },
    ),
  )
  fc.assert(
    fc.property(fc.constantFrom(...Object.keys(proof)), fc.jsonValue(), (member, value) => {
      const code = codeOf(() => readSavedEvidence(bytes({ ...proof, [member]: value })))
      expect(code).toMatch(/^(none|proof\/(malformed|version))$/)
    }),
  )
})
