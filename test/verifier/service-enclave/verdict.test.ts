import { generateKeyPairSync } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { limitOf } from '../../../src/shared/step-limits.ts'
import { verdictSchema } from '../../../src/shared/verdict.ts'
import type { ImageAcceptance } from '../../../src/verifier/service-enclave/index.ts'
import { answerSteps, serviceEnclaveSteps } from '../../../src/verifier/service-enclave/steps.ts'
import { bytes, map, type Writable } from '../cbor/cbor-writer.ts'
import {
  chain,
  HOUR,
  HPKE_KEY,
  message,
  minted,
  MINUTE,
  names,
  NONCE,
  NOW,
  p384,
  payloadWith,
  PCR0,
  PCR1,
  signatureOver,
  signers,
} from '../nitro/minted-document.ts'
import {
  basicConstraints,
  distinguishedName,
  ecdsaSha384,
  keyUsage,
} from '../../../src/sandbox/der/certificate.ts'
import { statedFactsExcept, withByte } from '../stated-facts.ts'
import {
  answerOf,
  assess,
  DATE,
  genuine,
  mintDocument,
  OTHER_PCR0,
  pcr0,
  published,
  record,
  recordBytes,
  refusalOf,
  SPKI,
  spkiOf,
  SPKI_HASH,
} from './minted-answer.ts'

const withMembers = (changes: Readonly<Record<string, Writable | undefined>>) =>
  refusalOf(assess({ answer: answerOf(mintDocument(changes)) }))
const withAnswer = (changes: object) => refusalOf(assess({ answer: { ...genuine, ...changes } }))
const withImages = (images: ImageAcceptance) => refusalOf(assess({ images }))

describe('a good response', () => {
  it('passes every step in the order of the plan, and returns signed facts', () => {
    const { verdict, tlsKey, record: read, pcr0: measured } = assess()
    expect(verdict.steps.map(({ id, outcome, required }) => [id, outcome, required])).toEqual(
      [...answerSteps.names, ...serviceEnclaveSteps('published', true).names].map(({ id }) =>
        id === 'service-enclave/connection' ? [id, 'not-checked', false] : [id, 'passed', true],
      ),
    )
    expect(verdict).toMatchObject({
      good: true,
      trust: 'sandbox',
      platform: 'AWS Nitro',
      enclaveHost: 'enclave.example',
      freshness: { kind: 'nonce-bound' },
      hpkePublicKey: HPKE_KEY.toString('hex'),
      tlsKeyFingerprint: SPKI_HASH.toString('hex'),
      image: { rule: 'published', version: 'v0.13.0', commit: 'abc1234' },
      verifiedAt: NOW + 100,
      validUntil: NOW + 100 + HOUR,
    })
    expect(verdict.registers).toEqual([
      { name: 'PCR0', hex: pcr0 },
      expect.objectContaining({ name: 'PCR1' }),
      expect.objectContaining({ name: 'PCR2' }),
    ])
    expect(verdict).not.toHaveProperty('failure')
    expect(verdictSchema.parse(verdict)).toEqual(verdict)
    expect({ tlsKey, measured }).toEqual({ tlsKey: SPKI, measured: pcr0 })
    expect(read).toEqual({
      updated: DATE,
      version: 'v0.13.0',
      commit: 'abc1234',
      current: pcr0,
      accepted: [pcr0],
    })
  })

  it('states that the connection’s key isn’t checked, and why', () => {
    expect(assess().verdict.steps.at(-1)).toMatchObject({
      id: 'service-enclave/connection',
      outcome: 'not-checked',
      required: false,
      observed: [{ english: 'requests are sealed to the attested encryption key instead' }],
    })
  })

  it('is valid for an hour at most, and never longer than a certificate', () => {
    const leaf = minted('leaf', { notAfter: NOW + 20 * MINUTE })
    expect(assess({ answer: answerOf(mintDocument({ certificate: bytes(leaf) })) }).verdict).toMatchObject({
      good: true,
      validUntil: NOW + 20 * MINUTE,
    })
  })

  it('may lack the TLS key, its fingerprint and the format, which older images don’t send', () => {
    const { verdict, tlsKey } = assess({
      answer: { ...genuine, cert_spki_der: undefined, cert_spki_sha256: undefined, format: undefined },
    })
    expect(verdict.good).toBe(true)
    expect(verdict.steps.find(({ id }) => id === 'service-enclave/tls-key')).toMatchObject({
      outcome: 'not-checked',
      required: false,
    })
    expect(tlsKey).toBeUndefined()
    expect(withAnswer({ cert_spki_der: null, cert_spki_sha256: null })).toBe('good')
  })

  it('may have unknown members, and a COSE tag', () => {
    expect(withAnswer({ key_sources: { openai: 'kms' }, another: [1] })).toBe('good')
    expect(withAnswer(answerOf(Buffer.concat([Buffer.of(0xd2), mintDocument()])))).toBe('good')
  })

  it('explains each of its steps', () => {
    const ids = [...answerSteps.names, ...serviceEnclaveSteps('published', true).names].map(({ id }) => id)
    expect(ids.filter((id) => limitOf(id) === undefined)).toEqual([])
  })
})

describe('the response', () => {
  it.each<[string, Uint8Array | object]>([
    ['nothing', new Uint8Array()],
    ['a text', Buffer.from('service unavailable')],
    ['an array', Buffer.from('[]')],
    ['an error', { error: { message: 'attestation unavailable', code: 503 } }],
    [
      'a byte order mark',
      Buffer.concat([Buffer.from('efbbbf', 'hex'), Buffer.from(JSON.stringify(genuine))]),
    ],
    ['a member twice', Buffer.from(JSON.stringify(genuine).replace('{', '{"hpke_public_key":"00",'))],
    ['no document', { ...genuine, attestation_document_b64: undefined }],
    [
      'a document that isn’t canonical base64',
      { ...genuine, attestation_document_b64: `${String(genuine['attestation_document_b64'])}\n` },
    ],
    [
      'a document over 16 KiB',
      { ...genuine, attestation_document_b64: Buffer.alloc(17_000).toString('base64') },
    ],
    ['no encryption key', { ...genuine, hpke_public_key: undefined }],
    ['an encryption key of 31 bytes', { ...genuine, hpke_public_key: 'ab'.repeat(31) }],
    ['an encryption key in upper case', { ...genuine, hpke_public_key: 'AB'.repeat(32) }],
    ['a TLS key of another type', { ...genuine, cert_spki_der: 7 }],
    ['a TLS key over 4 KiB', { ...genuine, cert_spki_der: Buffer.alloc(5000).toString('base64') }],
    ['a fingerprint that isn’t hex', { ...genuine, cert_spki_sha256: 'x'.repeat(64) }],
    ['another format', { ...genuine, format: 'sev-snp' }],
  ])('is refused: %s', (_, answer) => {
    expect(refusalOf(assess({ answer }))).toBe('service-enclave/answer service-enclave/answer-malformed')
  })

  it('has 64 KiB at most', () => {
    const filled = (length: number) => Buffer.from(JSON.stringify(genuine).padEnd(length))
    expect(refusalOf(assess({ answer: filled(64 * 1024) }))).toBe('good')
    expect(refusalOf(assess({ answer: filled(64 * 1024 + 1) }))).toBe(
      'service-enclave/answer service-enclave/answer-too-large',
    )
  })
})

describe('the document', () => {
  const forged = p384()
  it.each<[string, string, () => Uint8Array]>([
    [
      'of another algorithm',
      'nitro/message nitro/algorithm',
      () => message(payloadWith(), signatureOver(payloadWith()), map([[1, -7]])),
    ],
    [
      'with a byte after it',
      'nitro/message nitro/malformed',
      () => Buffer.concat([mintDocument(), Buffer.of(0)]),
    ],
    [
      'of another digest',
      'nitro/document nitro/digest-unsupported',
      () => mintDocument({ digest: 'SHA256' }),
    ],
    [
      'of another root',
      'nitro/root nitro/root-mismatch',
      () => {
        const root = minted('root', { publicKey: forged.publicKey }, ecdsaSha384(forged.privateKey))
        return mintDocument({ cabundle: [root, chain.regional, chain.instance].map(bytes) })
      },
    ],
    [
      'whose chain is out of order',
      'nitro/chain nitro/chain-invalid',
      () => mintDocument({ cabundle: [chain.root, chain.instance, chain.regional].map(bytes) }),
    ],
    [
      'of a leaf that another enclave’s leaf issued',
      'nitro/chain nitro/chain-invalid',
      () => {
        const leaf = minted(
          'leaf',
          {
            issuer: names.leaf,
            subject: distinguishedName(['CN', 'forged']),
            publicKey: forged.publicKey,
            extensions: [basicConstraints(false), keyUsage('digitalSignature')],
          },
          signers.leaf,
        )
        const payload = payloadWith({
          certificate: bytes(leaf),
          cabundle: [chain.root, chain.regional, chain.instance, chain.leaf].map(bytes),
        })
        return message(payload, signatureOver(payload, forged.privateKey))
      },
    ],
    [
      'with a certificate that had expired',
      'nitro/chain-validity nitro/certificate-not-valid-then',
      () => mintDocument({ certificate: bytes(minted('leaf', { notAfter: NOW - 1000 })) }),
    ],
    [
      'that nobody certified signed',
      'nitro/signature nitro/signature-invalid',
      () => message(payloadWith(), signatureOver(payloadWith(), forged.privateKey)),
    ],
    [
      'for another nonce',
      'nitro/nonce nitro/nonce-mismatch',
      () => mintDocument({ nonce: bytes(Buffer.alloc(32, 1)) }),
    ],
    // The service ignores a nonce that it doesn’t like, and sends a document without one.
    ['without a nonce', 'nitro/nonce nitro/nonce-missing', () => mintDocument({ nonce: null })],
    [
      'of a debug enclave',
      'nitro/debug nitro/debug-enclave',
      () => mintDocument({ pcrs: new Map([[0, bytes(Buffer.alloc(48))]]) }),
    ],
    [
      'without PCR0',
      'service-enclave/image service-enclave/image-missing',
      () => mintDocument({ pcrs: new Map([[1, bytes(PCR1)]]) }),
    ],
    [
      'with a PCR0 of 32 bytes',
      'service-enclave/image service-enclave/image-missing',
      () => mintDocument({ pcrs: new Map([[0, bytes(PCR0.subarray(16))]]) }),
    ],
    [
      'with a public_key of 31 bytes',
      'nitro/keys nitro/hpke-key-missing',
      () => mintDocument({ public_key: bytes(HPKE_KEY.subarray(1)) }),
    ],
    ['without user_data', 'nitro/keys nitro/tls-key-missing', () => mintDocument({ user_data: null })],
  ])('is refused: %s: %s', (_, refusal, document) => {
    expect(refusalOf(assess({ answer: answerOf(document()) }))).toBe(refusal)
  })

  it('must be at most five minutes older or newer than this clock', () => {
    const at = (now: number) => refusalOf(assess({ now }))
    expect(at(NOW + 5 * MINUTE)).toBe('good')
    expect(at(NOW + 5 * MINUTE + 1)).toBe('service-enclave/age service-enclave/document-old')
    expect(at(NOW - 5 * MINUTE)).toBe('good')
    expect(at(NOW - 5 * MINUTE - 1)).toBe('nitro/time nitro/in-future')
    expect(at(NOW + 4 * HOUR)).toBe('nitro/time nitro/expired')
  })

  it('is refused without a root, or for a nonce of another length', () => {
    expect(refusalOf(assess({ trust: { name: 'sandbox', amd: {}, sigstoreTrustedRoot: '' } }))).toBe(
      'nitro/root nitro/root-mismatch',
    )
    const empty = answerOf(mintDocument({ nonce: bytes(Buffer.alloc(0)) }))
    expect(refusalOf(assess({ answer: empty, nonce: new Uint8Array() }))).toBe(
      'nitro/message verifier/internal',
    )
    const short = answerOf(mintDocument({ nonce: bytes(NONCE.subarray(16)) }))
    expect(refusalOf(assess({ answer: short, nonce: NONCE.subarray(16) }))).toBe(
      'nitro/message verifier/internal',
    )
  })
})

describe('the image', () => {
  it('must be one that the record accepts', () => {
    for (const accepted_pcr0 of [
      [pcr0, OTHER_PCR0],
      [OTHER_PCR0, pcr0],
    ])
      expect(withImages(published({ accepted_pcr0 }))).toBe('good')
    const others = published({
      accepted_pcr0: [OTHER_PCR0],
      current: { ...record.current, pcr0: OTHER_PCR0 },
    })
    expect(withImages(others)).toBe('service-enclave/image service-enclave/image-not-published')
  })

  it('has the record’s version and commit only if it’s the current one', () => {
    const { verdict } = assess({
      images: published({
        accepted_pcr0: [OTHER_PCR0, pcr0],
        current: { ...record.current, pcr0: OTHER_PCR0 },
      }),
    })
    expect(verdict).toMatchObject({ good: true, image: { rule: 'published' } })
    expect(verdict.image).toEqual({ rule: 'published' })
  })

  it('is refused if the record is unavailable, malformed, older than a previous one, or from the future', () => {
    const step = 'service-enclave/image-record'
    expect(withImages({ rule: 'published', record: null })).toBe(`${step} service-enclave/record-unreachable`)
    expect(withImages({ rule: 'published', record: Buffer.from('{}') })).toBe(
      `${step} service-enclave/record-malformed`,
    )
    expect(withImages({ rule: 'published', record: recordBytes(), newestSeen: DATE })).toBe('good')
    expect(withImages({ rule: 'published', record: recordBytes(), newestSeen: '2026-05-31' })).toBe(
      `${step} service-enclave/record-older`,
    )
    expect(withImages({ rule: 'published', record: recordBytes(), newestSeen: '' })).toBe(
      `${step} service-enclave/record-older`,
    )
    expect(withImages(published({ updated: '2026-06-03' }))).toBe('good')
    // It would make every later record look old.
    expect(withImages(published({ updated: '2026-06-04' }))).toBe(`${step} service-enclave/record-in-future`)
  })

  it('isn’t saved from a refused record', () => {
    expect(
      assess({ images: { rule: 'published', record: recordBytes({ updated: '9999-12-31' }) } }),
    ).not.toHaveProperty('record')
    expect(
      assess({ images: { rule: 'published', record: recordBytes(), newestSeen: '2026-05-31' } }),
    ).not.toHaveProperty('record')
  })

  it('can be one that the user approved, independent of the record', () => {
    const { verdict } = assess({ images: { rule: 'approved', images: [OTHER_PCR0, pcr0] } })
    expect(verdict).toMatchObject({ good: true, image: { rule: 'approved' } })
    expect(verdict.steps.map(({ id }) => id)).not.toContain('service-enclave/image-record')
    for (const images of [[], [OTHER_PCR0], [pcr0.toUpperCase()], ['']])
      expect(withImages({ rule: 'approved', images })).toBe(
        'service-enclave/image service-enclave/image-not-approved',
      )
  })

  it('can be one with verified provenance, and has its commit', () => {
    const commit = '0123456789abcdef0123456789abcdef01234567'
    expect(assess({ images: { rule: 'proven', images: [{ pcr0, commit }] } }).verdict).toMatchObject({
      good: true,
      image: { rule: 'proven', commit },
    })
    for (const images of [[], [{ pcr0: OTHER_PCR0, commit }]])
      expect(withImages({ rule: 'proven', images })).toBe(
        'service-enclave/image service-enclave/image-not-proven',
      )
  })

  it('is returned for approval if it was refused, but not if the enclave didn’t prove it', () => {
    expect(assess({ images: { rule: 'approved', images: [] } })).toMatchObject({
      pcr0,
      verdict: { good: false },
    })
    expect(assess({ images: { rule: 'published', record: null } })).toMatchObject({ pcr0 })
    const unproven = [
      { nonce: bytes(Buffer.alloc(32)) },
      { pcrs: new Map([[0, bytes(Buffer.alloc(48))]]) },
      { pcrs: new Map([[0, bytes(Buffer.alloc(32, 1))]]) },
    ]
    for (const changes of unproven)
      expect(assess({ answer: answerOf(mintDocument(changes)) })).not.toHaveProperty('pcr0')
    expect(assess({ now: NOW + 10 * MINUTE })).not.toHaveProperty('pcr0')
  })

  it('is absent from a verdict that refused it', () => {
    expect(assess({ images: { rule: 'approved', images: [] } }).verdict).not.toHaveProperty('image')
  })
})

describe('the stated keys', () => {
  it('must be the attested ones', () => {
    expect(withAnswer({ hpke_public_key: 'ab'.repeat(32) })).toBe(
      'service-enclave/encryption-key service-enclave/key-differs',
    )
    expect(withAnswer({ cert_spki_der: spkiOf('rsa').toString('base64') })).toBe(
      'service-enclave/tls-key service-enclave/tls-key-differs',
    )
    expect(withAnswer({ cert_spki_sha256: 'ab'.repeat(32) })).toBe(
      'service-enclave/tls-key service-enclave/tls-fingerprint-differs',
    )
    expect(withAnswer({ cert_spki_der: undefined, cert_spki_sha256: 'ab'.repeat(32) })).toBe(
      'service-enclave/tls-key service-enclave/tls-fingerprint-differs',
    )
  })

  it('never replace one another: a TLS hash isn’t an encryption key', () => {
    expect(withMembers({ public_key: bytes(SPKI_HASH), user_data: bytes(HPKE_KEY) })).toBe(
      'service-enclave/encryption-key service-enclave/key-differs',
    )
    const other = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey.export({
      type: 'spki',
      format: 'der',
    })
    expect(assess({ answer: { ...genuine, cert_spki_der: other.toString('base64') } })).not.toHaveProperty(
      'tlsKey',
    )
  })
})

describe('one changed byte', () => {
  it('of a good answer changes no fact if the answer is still accepted', { timeout: 240_000 }, () => {
    const answer = Buffer.from(JSON.stringify(genuine))
    const original = assess({ answer })
    const facts = JSON.stringify(statedFactsExcept(original.verdict, original.verdict))
    const wrong: number[] = []
    let accepted = 0
    for (let at = 0; at < answer.length; at++) {
      for (const value of [answer[at] === 0x41 ? 0x42 : 0x41, 0x20]) {
        const { verdict, tlsKey, pcr0: measured } = assess({ answer: withByte(answer, at, value) })
        if (!verdict.good) continue
        accepted++
        const same =
          JSON.stringify(statedFactsExcept(verdict, original.verdict)) === facts &&
          measured === pcr0 &&
          (tlsKey === undefined || SPKI.equals(tlsKey))
        if (!same && answer[at] !== value) wrong.push(at)
      }
    }
    expect(wrong).toEqual([])
    // The names of members that may be left out.
    expect(accepted).toBeGreaterThan(0)
  })

  it('of the record changes only its own claims', () => {
    const bytesOfRecord = recordBytes()
    const facts = ({
      steps: _,
      image: __,
      evidenceDigest: ___,
      ...others
    }: ReturnType<typeof assess>['verdict']) => JSON.stringify(others)
    const original = facts(assess().verdict)
    const wrong = Array.from(bytesOfRecord.keys()).filter((at) => {
      const { verdict } = assess({
        images: {
          rule: 'published',
          record: withByte(bytesOfRecord, at, bytesOfRecord[at] === 0x61 ? 0x62 : 0x61),
        },
      })
      return verdict.good && facts(verdict) !== original
    })
    expect(wrong).toEqual([])
  })
})
