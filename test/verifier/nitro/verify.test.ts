import { generateKeyPairSync } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { nitroKeySteps, nitroSteps } from '../../../src/verifier/nitro/index.ts'
import { verifyNitroDocument, type NitroInput } from './verify-document.ts'
import type { AttestationCode } from '../../../src/verifier/types.ts'
import { nitroPolicySchema } from '../../../src/shared/policy/attestation-policy.ts'
import {
  authorityKeyIdentifier,
  basicConstraints,
  distinguishedName,
  ecdsaSha256,
  ecdsaSha384,
  extendedKeyUsage,
  extension,
  keyUsage,
  type CertificateFields,
} from '../../../src/sandbox/der/certificate.ts'
import { boolean, nul, sequence } from '../../../src/sandbox/der/der.ts'
import { bytes, head, majors, map, write, type Writable } from '../cbor/cbor-writer.ts'
import {
  chain,
  documentWith,
  HEADER,
  HOUR,
  HPKE_KEY,
  image,
  inputWith,
  keys,
  members,
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
  PCR2,
  signatureOver,
  signers,
  TLS_KEY,
} from './minted-document.ts'

const codeOf = (document: Uint8Array, changes: Partial<NitroInput> = {}) => {
  const result = verifyNitroDocument(inputWith(document, changes))
  return result.good ? 'good' : result.failure.code
}
const changed = (changes: Readonly<Record<string, Writable | undefined>>) => codeOf(documentWith(changes))
const genuine = documentWith()
const other = p384()

it('accepts a document that meets the policy', () => {
  const result = verifyNitroDocument(inputWith(genuine))
  expect(result.steps.map(({ id, outcome, required }) => [id, outcome, required])).toEqual(
    nitroSteps(true).names.map(({ id }) => [id, 'passed', true]),
  )
  // The first certificate of the chain to end is the leaf.
  expect(result).toMatchObject({
    good: true,
    value: {
      evidence: { notAfter: NOW + 3 * HOUR, document: { moduleId: 'i-0123-enc0456', timestamp: NOW } },
    },
  })
})

it('lists the steps after a failure as not reached', () => {
  const result = verifyNitroDocument(inputWith(genuine, { now: NOW + 4 * HOUR }))
  const at = nitroSteps(true).names.findIndex(({ id }) => id === 'nitro/time')
  expect(result.steps.map(({ outcome }) => outcome)).toEqual(
    nitroSteps(true).names.map((_, index) =>
      index < at ? 'passed' : index === at ? 'failed' : 'not-reached',
    ),
  )
})

it('doesn’t change its input', () => {
  const input = inputWith(Buffer.from(genuine))
  expect(verifyNitroDocument(input).good).toBe(true)
  expect(input.document).toEqual(genuine)
})

describe('the message', () => {
  const payload = payloadWith()
  const signature = signatureOver(payload)
  const withParts = (...parts: readonly Writable[]) => write(parts)
  const none = new Map<string, Writable>()

  it('may have the tag of COSE_Sign1, and no other', () => {
    expect(codeOf(Buffer.concat([Buffer.of(0xd2), genuine]))).toBe('good')
    expect(codeOf(Buffer.concat([Buffer.of(0xd1), genuine]))).toBe('nitro/malformed')
    expect(codeOf(Buffer.concat([Buffer.of(0xd2, 0xd2), genuine]))).toBe('nitro/malformed')
    expect(codeOf(Buffer.concat([Buffer.of(0xd8, 18), genuine]))).toBe('nitro/malformed')
  })

  it.each<[string, AttestationCode, () => Uint8Array]>([
    ['nothing', 'nitro/malformed', () => new Uint8Array()],
    ['a byte after it', 'nitro/malformed', () => Buffer.concat([genuine, Buffer.of(0)])],
    ['a byte missing', 'nitro/malformed', () => genuine.subarray(0, -1)],
    ['three parts', 'nitro/malformed', () => withParts(bytes(HEADER), none, bytes(payload))],
    [
      'five parts',
      'nitro/malformed',
      () => withParts(bytes(HEADER), none, bytes(payload), bytes(signature), null),
    ],
    ['no list', 'nitro/malformed', () => payload],
    [
      'an indefinite list',
      'nitro/malformed',
      () => Buffer.concat([Buffer.of(0x9f), genuine.subarray(1), Buffer.of(0xff)]),
    ],
    [
      'a payload that stands elsewhere',
      'nitro/malformed',
      () => withParts(bytes(HEADER), none, null, bytes(signature)),
    ],
    ['an empty payload', 'nitro/malformed', () => message(Buffer.alloc(0))],
    ['a payload over 16384 bytes', 'nitro/malformed', () => message(Buffer.alloc(16_385))],
    ['1 MB', 'nitro/malformed', () => Buffer.alloc(1_000_000, 0x81)],
    ['a signature of 95 bytes', 'nitro/malformed', () => message(payload, signature.subarray(1))],
    [
      'a signature of 97 bytes',
      'nitro/malformed',
      () => message(payload, Buffer.concat([signature, Buffer.of(0)])),
    ],
    [
      'a signature in DER',
      'nitro/malformed',
      () => message(payload, ecdsaSha384(keys.leaf.privateKey).sign(payload)),
    ],
    [
      'a header in a map',
      'nitro/malformed',
      () => withParts(new Map([[1, -35]]), none, bytes(payload), bytes(signature)),
    ],
    ['ES256', 'nitro/algorithm', () => message(payload, signature, map([[1, -7]]))],
    ['ES512', 'nitro/algorithm', () => message(payload, signature, map([[1, -36]]))],
    ['no algorithm', 'nitro/algorithm', () => message(payload, signature, map([]))],
    ['no header', 'nitro/algorithm', () => message(payload, signature, Buffer.alloc(0))],
    [
      'ES384 and more',
      'nitro/algorithm',
      () =>
        message(
          payload,
          signatureOver(
            payload,
            keys.leaf.privateKey,
            map([
              [1, -35],
              [4, bytes(Buffer.of(1))],
            ]),
          ),
          map([
            [1, -35],
            [4, bytes(Buffer.of(1))],
          ]),
        ),
    ],
    [
      'ES384 twice',
      'nitro/algorithm',
      () =>
        message(
          payload,
          signature,
          map([
            [1, -35],
            [1, -35],
          ]),
        ),
    ],
    [
      'ES384 in a longer form',
      'nitro/algorithm',
      () => message(payload, signature, Buffer.concat([Buffer.of(0xa1, 0x01), head(majors.negative, 34, 2)])),
    ],
    [
      'a key of its own choosing in the unsigned header',
      'nitro/unprotected-header',
      () => withParts(bytes(HEADER), new Map([[4, bytes(Buffer.of(1))]]), bytes(payload), bytes(signature)),
    ],
  ])('is refused: %s: %s', (_, code, document) => {
    expect(codeOf(document())).toBe(code)
  })
})

describe('the document', () => {
  it.each<[string, Readonly<Record<string, Writable | undefined>>]>([
    ['no module_id', { module_id: undefined }],
    ['an empty module_id', { module_id: '' }],
    ['a module_id in bytes', { module_id: bytes(Buffer.from('i-0123')) }],
    ['no digest', { digest: undefined }],
    ['no timestamp', { timestamp: undefined }],
    ['a timestamp of 0', { timestamp: 0 }],
    ['a timestamp before 1970', { timestamp: -1 }],
    ['a timestamp in text', { timestamp: String(NOW) }],
    ['a timestamp of 2^53', { timestamp: { raw: head(majors.unsigned, 2n ** 53n) } }],
    ['a timestamp in a longer form', { timestamp: { raw: head(majors.unsigned, 1, 8) } }],
    ['no pcrs', { pcrs: undefined }],
    ['pcrs of nothing', { pcrs: new Map() }],
    ['pcrs in a list', { pcrs: [bytes(PCR0)] }],
    ['33 pcrs', { pcrs: new Map(Array.from({ length: 33 }, (_, index) => [index, bytes(PCR0)])) }],
    [
      'a pcr32',
      {
        pcrs: new Map([
          [0, bytes(PCR0)],
          [32, bytes(PCR0)],
        ]),
      },
    ],
    [
      'a pcr-1',
      {
        pcrs: new Map([
          [0, bytes(PCR0)],
          [-1, bytes(PCR0)],
        ]),
      },
    ],
    ['a pcr by its name', { pcrs: new Map([['0', bytes(PCR0)]]) }],
    [
      'a pcr0 twice',
      {
        pcrs: {
          raw: map([
            [0, bytes(Buffer.alloc(48))],
            [0, bytes(PCR0)],
          ]),
        },
      },
    ],
    ['a pcr of 47 bytes', { pcrs: new Map([[0, bytes(PCR0.subarray(1))]]) }],
    ['a pcr of no bytes', { pcrs: new Map([[0, bytes(Buffer.alloc(0))]]) }],
    ['a pcr in hex', { pcrs: new Map([[0, PCR0.toString('hex')]]) }],
    ['no certificate', { certificate: undefined }],
    ['an empty certificate', { certificate: bytes(Buffer.alloc(0)) }],
    ['a certificate over 1024 bytes', { certificate: bytes(Buffer.alloc(1025)) }],
    ['a certificate of null', { certificate: null }],
    ['no cabundle', { cabundle: undefined }],
    ['a cabundle of nothing', { cabundle: [] }],
    ['a cabundle in bytes', { cabundle: bytes(chain.root) }],
    ['a cabundle with an empty certificate', { cabundle: [bytes(chain.root), bytes(Buffer.alloc(0))] }],
    ['a cabundle with over 1024 bytes', { cabundle: [bytes(chain.root), bytes(Buffer.alloc(1025))] }],
    ['a cabundle of nine', { cabundle: Array.from({ length: 9 }, () => bytes(chain.root)) }],
    ['an empty public_key', { public_key: bytes(Buffer.alloc(0)) }],
    ['a public_key over 1024 bytes', { public_key: bytes(Buffer.alloc(1025)) }],
    ['a public_key in text', { public_key: 'key' }],
    ['user_data over 512 bytes', { user_data: bytes(Buffer.alloc(513)) }],
    ['a nonce over 512 bytes', { nonce: bytes(Buffer.alloc(513)) }],
    ['a nonce in text', { nonce: NONCE.toString('hex') }],
    ['a member that AWS does not define', { nitrotpm_pcrs: new Map([[0, bytes(PCR0)]]) }],
  ])('is refused with %s', (_, changes) => {
    expect(changed(changes)).toBe('nitro/document-malformed')
  })

  it('is refused with a member twice, a member keyed by a number, and bytes after it', () => {
    const twice = (name: string, value: Writable) => message(map([[name, value], ...Object.entries(members)]))
    expect(codeOf(twice('timestamp', NOW))).toBe('nitro/document-malformed')
    expect(codeOf(twice('pcrs', members.pcrs))).toBe('nitro/document-malformed')
    expect(codeOf(message(map([[1, 0], ...Object.entries(members)])))).toBe('nitro/document-malformed')
    expect(codeOf(message(Buffer.concat([payloadWith(), Buffer.of(0)])))).toBe('nitro/document-malformed')
    expect(codeOf(message(write([bytes(payloadWith())])))).toBe('nitro/document-malformed')
  })

  it('is refused with another digest', () => {
    for (const digest of ['SHA256', 'SHA512', 'sha384', ''])
      expect(changed({ digest })).toBe('nitro/digest-unsupported')
  })

  it('may omit members without a value, or set them to null', () => {
    for (const nothing of [undefined, null]) {
      const result = verifyNitroDocument(
        inputWith(documentWith({ public_key: nothing, user_data: nothing, nonce: nothing }), {
          nonce: undefined,
        }),
      )
      expect(result.good).toBe(true)
      if (result.good)
        for (const member of ['publicKey', 'userData', 'nonce'])
          expect(result.value.evidence.document).not.toHaveProperty(member)
    }
  })

  it('may have its members in any order, and PCRs of every length', () => {
    const reversed = map(Object.entries(members).reverse())
    expect(codeOf(message(reversed))).toBe('good')
    expect(
      changed({
        pcrs: new Map([
          [0, bytes(PCR0)],
          [1, bytes(PCR1)],
          [2, bytes(PCR2)],
          [30, bytes(Buffer.alloc(32, 1))],
          [31, bytes(Buffer.alloc(64, 1))],
        ]),
      }),
    ).toBe('good')
  })
})

describe('AWS’s chain', () => {
  const bundleOf = (...certificates: readonly Buffer[]) => certificates.map(bytes)
  const regional = (changes: Partial<CertificateFields>, signer = signers.root) =>
    changed({ cabundle: bundleOf(chain.root, minted('regional', changes, signer), chain.instance) })
  const instance = (changes: Partial<CertificateFields>, signer = signers.regional) =>
    changed({ cabundle: bundleOf(chain.root, chain.regional, minted('instance', changes, signer)) })
  const leaf = (changes: Partial<CertificateFields>, signer = signers.instance) =>
    changed({ certificate: bytes(minted('leaf', changes, signer)) })
  const root = (changes: Partial<CertificateFields>, signer = signers.root) => {
    const fake = minted('root', changes, signer)
    return codeOf(documentWith({ cabundle: bundleOf(fake, chain.regional, chain.instance) }), {
      root: fake,
    })
  }

  it('begins at the trusted root, byte for byte', () => {
    expect(codeOf(genuine, { root: minted('root') })).toBe('nitro/root-mismatch')
    expect(codeOf(genuine, { root: new Uint8Array() })).toBe('nitro/root-mismatch')
    expect(changed({ cabundle: bundleOf(chain.instance, chain.regional, chain.root) })).toBe(
      'nitro/root-mismatch',
    )
    expect(changed({ cabundle: bundleOf(chain.regional, chain.instance) })).toBe('nitro/root-mismatch')
    // A whole chain of an attacker's own, sound in itself.
    const forger = { root: p384(), leaf: p384() }
    const ownRoot = minted('root', { publicKey: forger.root.publicKey }, ecdsaSha384(forger.root.privateKey))
    const ownLeaf = minted(
      'leaf',
      { issuer: names.root, publicKey: forger.leaf.publicKey },
      ecdsaSha384(forger.root.privateKey),
    )
    const forged = payloadWith({ cabundle: bundleOf(ownRoot), certificate: bytes(ownLeaf) })
    expect(codeOf(message(forged, signatureOver(forged, forger.leaf.privateKey)), { root: ownRoot })).toBe(
      'good',
    )
    expect(codeOf(message(forged, signatureOver(forged, forger.leaf.privateKey)))).toBe('nitro/root-mismatch')
    const behind = payloadWith({ cabundle: bundleOf(chain.root, ownRoot), certificate: bytes(ownLeaf) })
    expect(codeOf(message(behind, signatureOver(behind, forger.leaf.privateKey)))).toBe('nitro/chain-invalid')
  })

  it('needs a self-signed root with the name and strength of AWS’s', () => {
    expect(root({})).toBe('good')
    expect(root({ subject: names.regional, issuer: names.regional })).toBe('nitro/root-invalid')
    expect(
      root({
        subject: distinguishedName(
          ['C', 'US'],
          ['O', 'Amazon'],
          ['OU', 'AWS'],
          ['CN', 'aws-cn.nitro-enclaves'],
        ),
      }),
    ).toBe('nitro/root-invalid')
    expect(root({}, ecdsaSha384(other.privateKey))).toBe('nitro/root-invalid')
    expect(root({ extensions: [keyUsage('certificateAndCrlSign')] })).toBe('nitro/root-invalid')
    expect(root({ extensions: [basicConstraints(true)] })).toBe('nitro/root-invalid')
    expect(root({ extensions: [basicConstraints(true, 1), keyUsage('certificateAndCrlSign')] })).toBe(
      'nitro/root-invalid',
    )
    expect(root({ extensions: [basicConstraints(true, 2), keyUsage('certificateAndCrlSign')] })).toBe('good')
    const notOne = documentWith({ cabundle: [bytes(Buffer.from('root')), bytes(chain.regional)] })
    expect(codeOf(notOne, { root: Buffer.from('root') })).toBe('nitro/root-invalid')
  })

  it.each<[string, AttestationCode, () => string]>([
    [
      'a certificate that is none',
      'nitro/certificate-malformed',
      () => changed({ cabundle: [bytes(chain.root), bytes(Buffer.from('certificate'))] }),
    ],
    [
      'a leaf that is none',
      'nitro/certificate-malformed',
      () => changed({ certificate: bytes(Buffer.from('certificate')) }),
    ],
    [
      'a byte after a certificate',
      'nitro/certificate-malformed',
      () => changed({ certificate: bytes(Buffer.concat([chain.leaf, Buffer.of(0)])) }),
    ],
    [
      'a link left out',
      'nitro/chain-invalid',
      () => changed({ cabundle: bundleOf(chain.root, chain.instance) }),
    ],
    [
      'a link twice',
      'nitro/chain-invalid',
      () => changed({ cabundle: bundleOf(chain.root, chain.regional, chain.regional, chain.instance) }),
    ],
    [
      'links in another order',
      'nitro/chain-invalid',
      () => changed({ cabundle: bundleOf(chain.root, chain.instance, chain.regional) }),
    ],
    [
      'a leaf under another issuer',
      'nitro/chain-invalid',
      () => changed({ cabundle: bundleOf(chain.root, chain.regional) }),
    ],
    [
      'a root below the root',
      'nitro/chain-invalid',
      () => changed({ cabundle: bundleOf(chain.root, chain.root, chain.regional, chain.instance) }),
    ],
    ['an authority of nobody', 'nitro/chain-invalid', () => regional({}, ecdsaSha384(other.privateKey))],
    ['an authority under another name', 'nitro/chain-invalid', () => regional({ issuer: names.instance })],
    [
      'an authority that may not issue',
      'nitro/chain-invalid',
      () => regional({ extensions: [basicConstraints(false), keyUsage('certificateSign')] }),
    ],
    [
      'an authority without constraints',
      'nitro/chain-invalid',
      () => regional({ extensions: [keyUsage('certificateSign')] }),
    ],
    [
      'an authority that says so only by the way',
      'nitro/chain-invalid',
      () =>
        regional({
          extensions: [extension('2.5.29.19', sequence(boolean(true))), keyUsage('certificateSign')],
        }),
    ],
    [
      'an authority whose key may sign no certificate',
      'nitro/chain-invalid',
      () => regional({ extensions: [basicConstraints(true, 1), keyUsage('digitalSignature')] }),
    ],
    [
      'an authority without key usage',
      'nitro/chain-invalid',
      () => regional({ extensions: [basicConstraints(true, 1)] }),
    ],
    [
      'a path that is too long',
      'nitro/chain-invalid',
      () => regional({ extensions: [basicConstraints(true, 0), keyUsage('certificateSign')] }),
    ],
    [
      'an authority signed with SHA-256',
      'nitro/chain-invalid',
      () => instance({}, ecdsaSha256(keys.regional.privateKey)),
    ],
    [
      'a key of P-256',
      'nitro/chain-invalid',
      () => leaf({ publicKey: generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey }),
    ],
    [
      'a key of RSA',
      'nitro/chain-invalid',
      () => leaf({ publicKey: generateKeyPairSync('rsa', { modulusLength: 2048 }).publicKey }),
    ],
    [
      'a leaf that may issue',
      'nitro/chain-invalid',
      () => leaf({ extensions: [basicConstraints(true), keyUsage('digitalSignature')] }),
    ],
    [
      'a leaf whose key may sign no document',
      'nitro/chain-invalid',
      () => leaf({ extensions: [basicConstraints(false), keyUsage('certificateSign')] }),
    ],
    [
      'a leaf without key usage',
      'nitro/chain-invalid',
      () => leaf({ extensions: [basicConstraints(false)] }),
    ],
    [
      'a leaf with what is not understood',
      'nitro/chain-invalid',
      () => leaf({ extensions: [keyUsage('digitalSignature'), extension('1.2.3', nul(), true)] }),
    ],
    ['a leaf of the regional authority', 'nitro/chain-invalid', () => leaf({}, signers.regional)],
    [
      'an authority for a leaf',
      'nitro/chain-invalid',
      () => changed({ certificate: bytes(chain.instance), cabundle: bundleOf(chain.root, chain.regional) }),
    ],
  ])('is refused: %s: %s', (_, code, end) => {
    expect(end()).toBe(code)
  })

  it('may have further extensions that aren’t critical, and may consist of only root and leaf', () => {
    expect(
      regional({
        extensions: [
          basicConstraints(true),
          keyUsage('certificateAndCrlSign'),
          authorityKeyIdentifier(other.publicKey),
          extendedKeyUsage('codeSigning'),
        ],
      }),
    ).toBe('good')
    const short = payloadWith({
      cabundle: bundleOf(chain.root),
      certificate: bytes(minted('leaf', { issuer: names.root }, signers.root)),
    })
    expect(codeOf(message(short))).toBe('good')
  })

  it('has only certificates that were valid at the time of the document', () => {
    expect(leaf({ notBefore: NOW + 1000 })).toBe('nitro/certificate-not-valid-then')
    expect(leaf({ notAfter: NOW - 1000 })).toBe('nitro/certificate-not-valid-then')
    expect(leaf({ notBefore: NOW, notAfter: NOW + 1000 })).toBe('good')
    expect(instance({ notAfter: NOW - 1000 })).toBe('nitro/certificate-not-valid-then')
    expect(regional({ notBefore: NOW + 1000 })).toBe('nitro/certificate-not-valid-then')
    expect(root({ notAfter: NOW - 1000 })).toBe('nitro/certificate-not-valid-then')
    // The document's own time decides, not the clock here.
    expect(changed({ timestamp: NOW - 2 * MINUTE })).toBe('nitro/certificate-not-valid-then')
  })
})

describe('the signature', () => {
  const payload = payloadWith()
  const signature = signatureOver(payload)
  const withSignature = (r: Uint8Array, s: Uint8Array) => codeOf(message(payload, Buffer.concat([r, s])))
  const [r, s] = [signature.subarray(0, 48), signature.subarray(48)]
  /** SEC 2, secp384r1. */
  const order =
    0xffffffffffffffffffffffffffffffffffffffffffffffffc7634d81f4372ddf581a0db248b0a77aecec196accc52973n
  const scalar = (value: bigint) => Buffer.from(value.toString(16).padStart(96, '0'), 'hex')
  const numberOf = (bytes: Buffer) => BigInt(`0x${bytes.toString('hex')}`)

  it('is by the leaf, over the header and the payload', () => {
    expect(codeOf(message(payload, signatureOver(payload, other.privateKey)))).toBe('nitro/signature-invalid')
    expect(codeOf(message(payload, signatureOver(payloadWith({ nonce: bytes(Buffer.alloc(32)) }))))).toBe(
      'nitro/signature-invalid',
    )
    expect(codeOf(message(payload, signatureOver(payload, keys.leaf.privateKey, map([[1, -36]]))))).toBe(
      'nitro/signature-invalid',
    )
    expect(codeOf(message(payload, signatureOver(payload, keys.leaf.privateKey, HEADER, 'sha256')))).toBe(
      'nitro/signature-invalid',
    )
  })

  it('has r and s from 1 to below the order of the curve', () => {
    for (const bad of [Buffer.alloc(48), scalar(order), scalar(order + 1n), Buffer.alloc(48, 0xff)]) {
      expect(withSignature(bad, s)).toBe('nitro/signature-invalid')
      expect(withSignature(r, bad)).toBe('nitro/signature-invalid')
      expect(withSignature(bad, bad)).toBe('nitro/signature-invalid')
    }
    // The mirrored s is as good: a second form of one signature, over the same bytes.
    expect(withSignature(r, scalar(order - numberOf(s)))).toBe('good')
    expect(withSignature(s, r)).toBe('nitro/signature-invalid')
  })

  it('is checked before the content: an unsigned debug document is unsigned', () => {
    const debug = payloadWith({ pcrs: new Map([[0, bytes(Buffer.alloc(48))]]) })
    expect(codeOf(message(debug, signature))).toBe('nitro/signature-invalid')
    expect(codeOf(message(debug))).toBe('nitro/debug-enclave')
  })
})

describe('a genuine document', () => {
  it('is accepted up to five minutes before its own time, and not earlier', () => {
    expect(codeOf(genuine, { now: NOW })).toBe('good')
    expect(codeOf(genuine, { now: NOW - 5 * MINUTE })).toBe('good')
    expect(codeOf(genuine, { now: NOW - 5 * MINUTE - 1 })).toBe('nitro/in-future')
    expect(codeOf(genuine, { now: 0 })).toBe('nitro/in-future')
  })

  it('is accepted until a certificate expires', () => {
    expect(codeOf(genuine, { now: NOW + 3 * HOUR })).toBe('good')
    expect(codeOf(genuine, { now: NOW + 3 * HOUR + 1 })).toBe('nitro/expired')
    expect(codeOf(genuine, { now: NOW + 365 * 24 * HOUR })).toBe('nitro/expired')
  })

  it('is refused if its nonce isn’t the requested one', () => {
    expect(codeOf(genuine, { nonce: Buffer.alloc(32) })).toBe('nitro/nonce-mismatch')
    expect(codeOf(genuine, { nonce: NONCE.subarray(1) })).toBe('nitro/nonce-mismatch')
    expect(codeOf(genuine, { nonce: Buffer.concat([NONCE, Buffer.of(0)]) })).toBe('nitro/nonce-mismatch')
    expect(codeOf(genuine, { nonce: new Uint8Array() })).toBe('nitro/nonce-mismatch')
    expect(changed({ nonce: undefined })).toBe('nitro/nonce-missing')
    expect(changed({ nonce: null })).toBe('nitro/nonce-missing')
    expect(changed({ nonce: bytes(Buffer.alloc(0)) })).toBe('nitro/nonce-mismatch')
  })

  it('is accepted without a requested nonce, and that step isn’t checked', () => {
    const result = verifyNitroDocument(inputWith(genuine, { nonce: undefined }))
    expect(result.good).toBe(true)
    expect(result.steps.find(({ id }) => id === 'nitro/nonce')).toMatchObject({
      outcome: 'not-checked',
      required: false,
    })
  })
})

describe('the image', () => {
  const zeros = Buffer.alloc(48)
  const hex = (value: Buffer) => value.toString('hex')
  const withPcrs = (pcrs: ReadonlyMap<number, Writable>, images = [image]) =>
    codeOf(documentWith({ pcrs }), { policy: { images } })

  it('matches an image of the policy, in every register that it names', () => {
    expect(codeOf(genuine, { policy: { images: [{ pcr0: image.pcr0 }] } })).toBe('good')
    expect(codeOf(genuine, { policy: { images: [{ pcr0: hex(PCR1) }, image] } })).toBe('good')
    expect(codeOf(genuine, { policy: { images: [{ pcr0: hex(PCR1) }] } })).toBe('nitro/image-not-accepted')
    expect(codeOf(genuine, { policy: { images: [{ ...image, pcr1: hex(PCR2) }] } })).toBe(
      'nitro/image-not-accepted',
    )
    expect(codeOf(genuine, { policy: { images: [{ ...image, pcr2: hex(PCR1) }] } })).toBe(
      'nitro/image-not-accepted',
    )
    // No register of one image with another of the next.
    expect(
      codeOf(genuine, {
        policy: {
          images: [
            { pcr0: image.pcr0, pcr1: hex(PCR2) },
            { pcr0: hex(PCR2), pcr1: image.pcr1 },
          ],
        },
      }),
    ).toBe('nitro/image-not-accepted')
    expect(codeOf(genuine, { policy: { images: [] } })).toBe('nitro/image-not-accepted')
  })

  it('isn’t accepted if it wasn’t measured', () => {
    expect(
      withPcrs(
        new Map([
          [1, bytes(PCR1)],
          [2, bytes(PCR2)],
        ]),
      ),
    ).toBe('nitro/image-not-accepted')
    expect(withPcrs(new Map([[0, bytes(PCR0)]]))).toBe('nitro/image-not-accepted')
    expect(withPcrs(new Map([[0, bytes(PCR0.subarray(0, 32))]]), [{ ...image, pcr0: hex(PCR0) }])).toBe(
      'nitro/image-not-accepted',
    )
  })

  it('is named by a policy in lowercase hex, at least once, and never as zeros', () => {
    const accepts = (images: unknown) => nitroPolicySchema.safeParse({ images }).success
    expect(accepts([{ pcr0: image.pcr0 }])).toBe(true)
    expect(accepts([image, { ...image, pcr1: hex(zeros) }])).toBe(true)
    for (const bad of [
      [],
      [{}],
      [{ pcr1: image.pcr1 }],
      [{ pcr0: hex(zeros) }],
      [image, { pcr0: hex(zeros) }],
      [{ pcr0: image.pcr0.toUpperCase() }],
      [{ pcr0: image.pcr0.slice(2) }],
    ]) {
      expect(accepts(bad)).toBe(false)
    }
  })

  it('of a debugged enclave is refused, even if the policy names it', () => {
    for (const length of [32, 48, 64])
      expect(withPcrs(new Map([[0, bytes(Buffer.alloc(length))]]))).toBe('nitro/debug-enclave')
    expect(
      codeOf(documentWith({ pcrs: new Map([[0, bytes(zeros)]]) }), {
        policy: { images: [{ ...image, pcr0: hex(zeros) }] },
      }),
    ).toBe('nitro/debug-enclave')
  })
})

describe('the keys', () => {
  const keysOf = (changes: Readonly<Record<string, Writable | undefined>>) => {
    const result = nitroSteps(false)
      .append(nitroKeySteps)
      .verify(inputWith(documentWith(changes)))
    return result.good ? result.value.keys.value : result.failure.code
  }

  it('are public_key and user_data', () => {
    expect(keysOf({})).toEqual({
      hpkePublicKey: new Uint8Array(HPKE_KEY),
      tlsKeyFingerprint: new Uint8Array(TLS_KEY),
    })
  })

  it('have 32 bytes each, and aren’t zeros', () => {
    for (const bad of [
      undefined,
      null,
      bytes(Buffer.alloc(31, 1)),
      bytes(Buffer.alloc(33, 1)),
      bytes(Buffer.alloc(32)),
    ]) {
      expect(keysOf({ public_key: bad })).toBe('nitro/hpke-key-missing')
      expect(keysOf({ user_data: bad })).toBe('nitro/tls-key-missing')
    }
  })
})
