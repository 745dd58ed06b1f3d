import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import {
  platforms,
  createEnclave,
  DAY,
  NONCE,
  NOW,
  sandboxPolicy,
  type Enclave,
} from './verified-documents.ts'

const enclaves = new Map<string, Enclave>()
beforeAll(async () => {
  for (const platform of platforms) enclaves.set(platform, await createEnclave(platform))
})
function enclaveOf(platform: (typeof platforms)[number]): Enclave {
  const enclave = enclaves.get(platform)
  if (!enclave) throw new Error('no enclave')
  return enclave
}

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')

describe.each(platforms)('a valid document on %s', (platform) => {
  test('names the machine and its policy, and expires seven days after the earlier witness', () => {
    const {
      world: { roots },
      verdict,
    } = enclaveOf(platform)
    const machine =
      platform === 'tdx'
        ? { identity: hex(roots.ppid), policy: 'sandbox-tdx' }
        : { identity: hex(roots.chipId), policy: 'sandbox-genoa' }
    expect(verdict()).toMatchObject({ facts: { machine, notAfter: NOW + 7 * DAY } })
  })

  test('is refused with another nonce, other keys or another release of the service', () => {
    const { verify, mint, relayed } = enclaveOf(platform)
    const document = mint()
    const other = Buffer.alloc(32, 7)
    expect(verify(document, { nonce: other })).toEqual({ refused: 'v3/nonce envelope/nonce-mismatch' })
    for (const keys of [
      { ...relayed.keys, tlsKeyFingerprint: other },
      { ...relayed.keys, hpkePublicKey: other },
    ]) {
      expect(verify(document, { relayed: { ...relayed, keys } })).toEqual({
        refused: 'v3/same-enclave keys/differ-from-service',
      })
    }
    for (const release of [
      { ...relayed.release, tag: 'v0.0.1' },
      { ...relayed.release, digest: hex(other) },
    ]) {
      expect(verify(document, { relayed: { ...relayed, release } })).toEqual({
        refused: 'v3/same-enclave release/differs-from-service',
      })
    }
  })

  test('is accepted with evidence of devices', () => {
    const device = {
      id: 'gpu0',
      kind: 'gpu',
      vendor: 'nvidia',
      format: 'https://tinfoil.sh/format/nvidia-gpu-evidence/v1',
      evidence: { arch: 'HOPPER' },
    }
    expect(enclaveOf(platform).verdict({ deviceItems: [device] })).toHaveProperty('facts')
  })

  test('is refused if the policy doesn’t accept the hardware', () => {
    const { sevSnp: _sevSnp, tdx: _tdx, ...policy } = sandboxPolicy
    expect(enclaveOf(platform).verdict({}, { policy })).toEqual({
      refused: 'v3/hardware evidence/format-unsupported',
    })
  })

  test('with one changed byte of text is refused, or has the same result', () => {
    const { verify, mint } = enclaveOf(platform)
    const document = mint()
    const good = verify(document)
    fc.assert(
      fc.property(fc.nat(document.length - 1), fc.integer({ min: 1, max: 255 }), (at, by) => {
        const changed = Buffer.from(document)
        changed.writeUInt8(changed.readUInt8(at) ^ by, at)
        const result = verify(changed)
        if ('facts' in result) expect(result).toEqual(good)
      }),
      { numRuns: 120 },
    )
  })

  test('that is truncated anywhere is refused', () => {
    const { verify, mint } = enclaveOf(platform)
    const document = mint()
    fc.assert(
      fc.property(fc.nat(document.length - 1), (length) => {
        expect(verify(document.subarray(0, length))).toEqual({ refused: 'v3/document envelope/malformed' })
      }),
      { numRuns: 20 },
    )
  })
})

test('a document expires seven days after the earlier of two witnesses, at any times', () => {
  const { verdict } = enclaveOf('sev-snp')
  const age = fc.integer({ min: -300, max: 7 * 24 * 3600 })
  fc.assert(
    fc.property(age, age, (code, platform) => {
      const [codeAt, platformAt] = [NOW - code * 1000, NOW - platform * 1000]
      const result = verdict({ codeWitness: { loggedAt: codeAt }, platformWitness: { loggedAt: platformAt } })
      expect(result).toMatchObject({ facts: { notAfter: Math.min(codeAt, platformAt) + 7 * DAY } })
    }),
    {
      numRuns: 15,
      examples: [
        [0, 7 * 24 * 3600],
        [7 * 24 * 3600, 7 * 24 * 3600],
        [-300, 0],
      ],
    },
  )
})

test('a document expires with its revocation list if that is earlier', () => {
  const nextUpdate = NOW + DAY
  expect(enclaveOf('sev-snp').verdict({ sev: { revocations: { nextUpdate } } })).toMatchObject({
    facts: { notAfter: nextUpdate },
  })
})

describe('the keys', () => {
  const TLS = 'https://tinfoil.sh/key/spki-fp-sha256/v1'
  const HPKE = 'https://tinfoil.sh/key/x25519-hpke/v1'
  const other = { id: 'signing', format: 'https://tinfoil.sh/key/spki/v1', data: 'abcd' }
  interface Item {
    readonly id: string
    readonly format: string
    readonly data: string
  }
  type Change = (tls: Item, hpke: Item) => readonly object[]
  const verifyItems = (change: Change) =>
    enclaveOf('sev-snp').verdict({
      cryptoItems: ([tls, hpke]) => {
        if (!tls || !hpke) throw new Error('no keys')
        return change(tls, hpke)
      },
    })

  test.each<[string, Change]>([
    ['an item of an unknown ID and format', (tls, hpke) => [other, tls, hpke]],
    ['another order', (tls, hpke) => [hpke, tls]],
  ])('are accepted with %s', (_, change) => {
    expect(verifyItems(change)).toHaveProperty('facts')
  })

  test.each<[string, string, Change]>([
    ['no tls', 'v3/keys keys/missing', (_, hpke) => [hpke]],
    ['no hpke', 'v3/keys keys/missing', (tls) => [tls]],
    ['none', 'v3/keys keys/missing', () => []],
    [
      'hpke in the format of a fingerprint',
      'v3/keys keys/format',
      (tls, hpke) => [tls, { ...hpke, format: TLS }],
    ],
    [
      'tls in the format of an HPKE key',
      'v3/keys keys/format',
      (tls, hpke) => [{ ...tls, format: HPKE }, hpke],
    ],
    ['hpke of 31 bytes', 'v3/keys keys/format', (tls, hpke) => [tls, { ...hpke, data: hpke.data.slice(2) }]],
    ['hpke of 33 bytes', 'v3/keys keys/format', (tls, hpke) => [tls, { ...hpke, data: `${hpke.data}00` }]],
    ['tls of 31 bytes', 'v3/keys keys/format', (tls, hpke) => [{ ...tls, data: tls.data.slice(2) }, hpke]],
    ['tls of 33 bytes', 'v3/keys keys/format', (tls, hpke) => [{ ...tls, data: `${tls.data}00` }, hpke]],
    ['two of hpke', 'v3/document envelope/malformed-section', (tls, hpke) => [tls, hpke, hpke]],
    ['two of another ID', 'v3/document envelope/malformed-section', (tls, hpke) => [tls, hpke, other, other]],
    [
      'an odd number of digits',
      'v3/document envelope/malformed-section',
      (tls, hpke) => [tls, { ...hpke, data: hpke.data.slice(1) }],
    ],
    [
      'digits in upper case',
      'v3/document envelope/malformed-section',
      (tls, hpke) => [tls, hpke, { ...other, data: 'ABCD' }],
    ],
    [
      'no digits',
      'v3/document envelope/malformed-section',
      (tls, hpke) => [tls, hpke, { ...other, data: '' }],
    ],
    [
      'an empty format',
      'v3/document envelope/malformed-section',
      (tls, hpke) => [tls, hpke, { ...other, format: '' }],
    ],
    [
      'an unknown member',
      'v3/document envelope/malformed-section',
      (tls, hpke) => [tls, hpke, { ...other, use: 'sig' }],
    ],
    [
      'the keys exchanged',
      'v3/same-enclave keys/differ-from-service',
      (tls, hpke) => [
        { ...tls, data: hpke.data },
        { ...hpke, data: tls.data },
      ],
    ],
    [
      'another key',
      'v3/same-enclave keys/differ-from-service',
      (tls, hpke) => [tls, { ...hpke, data: 'ab'.repeat(32) }],
    ],
  ])('are refused with %s: %s', (_, refused, change) => {
    expect(verifyItems(change)).toEqual({ refused })
  })
})

test('without rules for document v3, nothing is accepted', () => {
  const { nonceBound: _, ...policy } = sandboxPolicy
  expect(enclaveOf('sev-snp').verdict({}, { policy })).toEqual({ refused: 'v3/document verifier/internal' })
})

test('a nonce that isn’t 32 bytes is refused', () => {
  const { verdict } = enclaveOf('sev-snp')
  for (const nonce of [NONCE.subarray(1), Buffer.alloc(0), Buffer.concat([NONCE, NONCE])]) {
    expect(verdict({}, { nonce })).toEqual({ refused: 'v3/nonce envelope/nonce-mismatch' })
  }
})
