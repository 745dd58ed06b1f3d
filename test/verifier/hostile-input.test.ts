import { randomBytes } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { MAX_EVIDENCE_BYTES, verifyEvidence } from '../../src/verifier/index.ts'
import { AWS_NITRO_ENCLAVE_V1, SEV_SNP_GUEST_V2, TDX_GUEST_V2 } from '../../src/verifier/measurement.ts'
import { CertificateError, certificatesFromPem } from '../../src/verifier/x509/index.ts'
import { fetchEvidence } from '../../src/core/gateway/channel/evidence.ts'
import type { AttestationPolicy } from '../../src/shared/policy/attestation-policy.ts'
import { SottoError } from '../../src/shared/errors.ts'
import { bytes, head, majors, write } from './cbor/cbor-writer.ts'
import { builtInTrust, evidenceIsThere, presetPolicy, realEvidence } from './evidence-folder.ts'

/**
 * What a hostile service may answer instead of evidence, each refused by its code before any of it costs much. All of it goes the way that
 * evidence goes, through `fetchEvidence` or `verifyEvidence`, under a policy that accepts every platform.
 */
const NOW = Date.UTC(2026, 1, 1)
const policy: AttestationPolicy = { ...presetPolicy(), nitro: { images: [{ pcr0: 'ab'.repeat(48) }] } }
const report = randomBytes(1184)
const packed = (content: Uint8Array) => gzipSync(content).toString('base64')
const sound = {
  domain: 'enclave.example',
  enclaveAttestationReport: { format: SEV_SNP_GUEST_V2, body: packed(report) },
  digest: 'ab'.repeat(32),
  sigstoreBundle: { anything: [1, 2, 3] },
  vcek: Buffer.from('a certificate').toString('base64'),
  enclaveCert: 'a PEM',
}

function failureOf(evidence: Uint8Array | string) {
  const { good, failure } = verifyEvidence(
    typeof evidence === 'string' ? Buffer.from(evidence) : evidence,
    builtInTrust,
    policy,
    NOW,
  )
  expect(good).toBe(false)
  return `${failure?.step ?? ''}: ${failure?.code ?? ''}`
}
const changed = (changes: object) => failureOf(JSON.stringify({ ...sound, ...changes }))
const withBody = (format: string, body: string) => changed({ enclaveAttestationReport: { format, body } })
const malformed = 'evidence/document: evidence/malformed'
const tooLarge = 'evidence/document: evidence/too-large'

it('the unchanged bundle is refused only at its report’s layout', () => {
  expect(changed({})).toMatch(/^report\/layout: report\//)
})

describe('a gzip bomb', () => {
  const formats = [SEV_SNP_GUEST_V2, TDX_GUEST_V2, AWS_NITRO_ENCLAVE_V1]
  const bomb = packed(Buffer.alloc(150_000_000))

  it.each(formats)('of a megabyte within the document’s limit is not unpacked: %s', (format) => {
    const small = packed(Buffer.alloc(10_000_000))
    expect(small.length).toBeLessThan(20_000)
    expect(withBody(format, small)).toBe('evidence/report: evidence/too-large')
  })

  it.each(formats)('of 150 MB is not decoded: %s', (format) => {
    expect(bomb.length).toBeGreaterThan(100_000)
    expect(withBody(format, bomb)).toBe('evidence/report: evidence/too-large')
  })

  it('in a gzip bomb is unpacked only once, as an invalid report', () => {
    expect(withBody(SEV_SNP_GUEST_V2, packed(gzipSync(Buffer.alloc(200_000))))).toMatch(
      /^report\/layout: report\//,
    )
  })
})

describe('a gigabyte of JSON', () => {
  const GIGABYTE = 2 ** 30
  const CHUNK = Buffer.alloc(64 * 1024, ' ')

  it('is read only up to the evidence limit, and then canceled', async () => {
    let sent = 0
    let stopped = false
    // oxlint-disable-next-line typescript/require-await -- a body is read as it comes
    async function* body() {
      try {
        for (; sent < GIGABYTE; sent += CHUNK.length) yield CHUNK
      } finally {
        stopped = true
      }
    }
    const fetched = fetchEvidence(
      () => Promise.resolve({ status: 200, headers: { get: () => null }, body: body() }),
      'https://x.example/attestation',
      MAX_EVIDENCE_BYTES,
    )
    await expect(fetched).rejects.toMatchObject({ code: 'attestation/evidence-too-large' })
    await expect(fetched).rejects.toBeInstanceOf(SottoError)
    expect(sent).toBeLessThanOrEqual(MAX_EVIDENCE_BYTES + CHUNK.length)
    expect(stopped).toBe(true)
  })

  it('in memory is refused by its length, without parsing', () => {
    expect(failureOf(Buffer.alloc(MAX_EVIDENCE_BYTES + 1, ' '))).toBe(tooLarge)
    expect(
      failureOf(Buffer.concat([Buffer.from(JSON.stringify(sound)), Buffer.alloc(MAX_EVIDENCE_BYTES, ' ')])),
    ).toBe(tooLarge)
  })
})

describe('a PEM bomb', () => {
  it('over the size limit of a certificate is refused by its length', () => {
    expect(
      changed({
        enclaveCert: `-----BEGIN CERTIFICATE-----\n${'A'.repeat(32 * 1024)}\n-----END CERTIFICATE-----\n`,
      }),
    ).toBe(tooLarge)
  })

  it.each([
    ['lines that almost end a block', `-----BEGIN CERTIFICATE-----\n${`${'A'.repeat(64)}\n`.repeat(900)}`],
    [
      'lines that are one short',
      `-----BEGIN CERTIFICATE-----\n${`${'A'.repeat(63)}\n`.repeat(900)}-----END CERTIFICATE-----\n`,
    ],
    ['blocks that never end', '-----BEGIN CERTIFICATE-----\n'.repeat(2000)],
    ['white space', ' '.repeat(60_000)],
    ['over 64 KiB', 'A'.repeat(64 * 1024 + 1)],
  ])('of %s is no certificate', (_, text) => {
    expect(() => certificatesFromPem(text)).toThrow(CertificateError)
  })

  it.skipIf(!evidenceIsThere)('of many real certificates is refused', () => {
    const genuine = JSON.parse(realEvidence('bundle/genoa-router-bundle.json').toString()) as {
      readonly enclaveCert: string
    }
    const { failure } = verifyEvidence(
      Buffer.from(JSON.stringify({ ...genuine, enclaveCert: genuine.enclaveCert.repeat(5) })),
      builtInTrust,
      presetPolicy(),
      NOW,
    )
    expect(failure).toMatchObject({ step: 'certificate/form', code: 'certificate/malformed' })
  })
})

describe('deep nesting', () => {
  it.each([
    ['lists', `${'['.repeat(50_000)}${']'.repeat(50_000)}`],
    ['lists that never end', '['.repeat(200_000)],
    ['objects that never end', '{"a":'.repeat(50_000)],
    ['objects', `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`],
    [
      'lists inside a member that is read',
      JSON.stringify({ ...sound, sigstoreBundle: 0 }).replace(
        '"sigstoreBundle":0',
        `"sigstoreBundle":${'['.repeat(1000)}${']'.repeat(1000)}`,
      ),
    ],
    [
      'lists inside a member that is not read',
      JSON.stringify({ ...sound, gpu: 0 }).replace('"gpu":0', `"gpu":${'['.repeat(1000)}${']'.repeat(1000)}`),
    ],
  ])('of %s is refused', (_, text) => {
    expect(failureOf(text)).toBe(malformed)
  })

  it('of CBOR is refused', () => {
    for (const nested of [
      Buffer.alloc(8000, 0x81),
      Buffer.alloc(8000, 0xd2),
      Buffer.concat(Array.from({ length: 4000 }, () => Buffer.from('a100', 'hex'))),
    ]) {
      expect(withBody(AWS_NITRO_ENCLAVE_V1, packed(nested))).toBe('nitro/message: nitro/malformed')
    }
  })
})

describe('a duplicate member', () => {
  const text = JSON.stringify(sound)
  it.each([
    ['at the top', text.replace('{', '{"digest":"00",')],
    ['spelled in another way', text.replace('{', '{"di\\u0067est":"00",')],
    ['in the report', text.replace('"format"', `"format":"${TDX_GUEST_V2}","format"`)],
    ['in the Sigstore bundle', text.replace('"anything"', '"anything":1,"anything"')],
    ['in what is not read', text.replace('{', '{"gpu":{"a":1,"a":2},')],
    ['as a name that objects have of themselves', text.replace('{', '{"__proto__":1,"__proto__":2,')],
  ])('is refused %s', (_, evidence) => {
    expect(failureOf(evidence)).toBe(malformed)
  })

  it('is refused in CBOR', () => {
    const twice = Buffer.concat([head(majors.map, 2), write('pcrs'), write(1), write('pcrs'), write(2)])
    const message = write([
      bytes(Buffer.from('a1013822', 'hex')),
      new Map(),
      bytes(twice),
      bytes(Buffer.alloc(96, 1)),
    ])
    expect(withBody(AWS_NITRO_ENCLAVE_V1, packed(message))).toBe('nitro/document: nitro/document-malformed')
  })
})

describe('base64 that is not canonical', () => {
  const { body } = sound.enclaveAttestationReport
  const forms: readonly (readonly [string, (text: string) => string])[] = [
    ['without padding', (text) => text.replace(/=+$/, '')],
    ['with more padding', (text) => `${text}=`],
    ['with a line break', (text) => `${text.slice(0, 8)}\n${text.slice(8)}`],
    ['with a space before it', (text) => ` ${text}`],
    ['in the alphabet of addresses', (text) => text.replaceAll('+', '-').replaceAll('/', '_')],
    ['with bits after its end', (text) => text.replace(/A==$/, 'B==')],
    ['with a character that is none', (text) => `${text.slice(0, 4)}%${text.slice(5)}`],
    ['and nothing else', () => '===='],
  ]
  // Padded, and with both characters that the other alphabet writes in another way.
  const vcek = '++//AA=='

  it.each(forms)('is refused %s', (_, change) => {
    expect(changed({ vcek })).toMatch(/^report\/layout: /)
    expect(changed({ vcek: change(vcek) })).toBe(malformed)
    const other = change(body)
    if (other !== body) expect(withBody(SEV_SNP_GUEST_V2, other)).toBe('evidence/report: evidence/malformed')
  })

  it('is refused in collateral', () => {
    const crl = (text: string) =>
      changed({
        collateral: [
          {
            id: 'crl',
            role: 'endorsement',
            format: 'https://tinfoil.sh/collateral/amd-crl/v1',
            data: { crl_der_base64: text },
          },
        ],
      })
    expect(crl('AAAA')).toMatch(/^report\/layout: /)
    for (const text of ['AAA', 'AAB=', 'AAAA\n', 'AA-_']) expect(crl(text)).toBe(malformed)
  })
})

describe('uppercase hex', () => {
  it('is refused as the digest of a release', () => {
    expect(changed({ digest: 'AB'.repeat(32) })).toBe(malformed)
    expect(changed({ digest: `A${'b'.repeat(63)}` })).toBe(malformed)
    expect(changed({ digest: ` ${'ab'.repeat(32)}`.slice(0, 64) })).toBe(malformed)
  })
})

describe('a number beyond exact precision', () => {
  const inside = (literal: string) => failureOf(JSON.stringify(sound).replace('[1,2,3]', `[${literal}]`))

  it.each([
    '9007199254740992',
    '9007199254740993',
    '-9007199254740993',
    '18446744073709551616',
    '1e16',
    '1e400',
    '-1e400',
    '123456789012345678901234567890',
  ])('is refused: %s', (literal) => {
    expect(inside(literal)).toBe(malformed)
    expect(failureOf(JSON.stringify(sound).replace('{', `{"gpu":${literal},`))).toBe(malformed)
  })

  it('is accepted up to 2^53 - 1', () => {
    for (const literal of ['9007199254740991', '-9007199254740991', '0', '1.5'])
      expect(inside(literal)).toMatch(/^report\/layout: /)
  })

  it('is refused in CBOR', () => {
    const message = write([
      bytes(Buffer.from('a1013822', 'hex')),
      new Map(),
      bytes(Buffer.concat([head(majors.map, 1), write('timestamp'), head(majors.unsigned, 2n ** 53n)])),
      bytes(Buffer.alloc(96, 1)),
    ])
    expect(withBody(AWS_NITRO_ENCLAVE_V1, packed(message))).toBe('nitro/document: nitro/document-malformed')
  })
})

describe('text with two readings', () => {
  const text = Buffer.from(JSON.stringify(sound))

  it('is refused with a byte order mark', () => {
    expect(failureOf(Buffer.concat([Buffer.from('efbbbf', 'hex'), text]))).toBe(malformed)
    expect(failureOf(Buffer.from(`\ufeff${text.toString()}`, 'utf16le'))).toBe(malformed)
  })

  it.each([
    ['a byte alone', 'ff'],
    ['an overlong slash', 'c0af'],
    ['half of a pair', 'eda080'],
    ['a character that ends early', 'e282'],
    ['beyond Unicode', 'f4908080'],
  ])('is refused if it isn’t UTF-8: %s', (_, sequence) => {
    const at = text.indexOf('enclave.example')
    expect(
      failureOf(Buffer.concat([text.subarray(0, at), Buffer.from(sequence, 'hex'), text.subarray(at)])),
    ).toBe(malformed)
  })

  it('is refused with a NUL, a comment, a trailing comma, a single quote, or more text', () => {
    const plain = text.toString()
    for (const other of [
      `${plain}\0`,
      `${plain}//`,
      plain.replace(/}$/, ',}'),
      plain.replaceAll('"', "'"),
      `${plain}{}`,
      `${plain}${plain}`,
    ])
      expect(failureOf(other)).toBe(malformed)
  })
})
