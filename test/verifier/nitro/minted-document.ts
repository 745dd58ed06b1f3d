import { generateKeyPairSync, sign, type KeyObject, type KeyPairKeyObjectResult } from 'node:crypto'
import type { NitroInput } from './verify-document.ts'
import {
  basicConstraints,
  certificate,
  distinguishedName,
  ecdsaSha384,
  keyUsage,
  type CertificateFields,
  type Signer,
} from '../../../src/sandbox/der/certificate.ts'
import { bytes, map, write, type Writable } from '../cbor/cbor-writer.ts'

export const NOW = Date.UTC(2026, 5, 1, 12)
export const MINUTE = 60_000
export const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

export const p384 = (): KeyPairKeyObjectResult => generateKeyPairSync('ec', { namedCurve: 'P-384' })
const amazon = [
  ['C', 'US'],
  ['O', 'Amazon'],
  ['OU', 'AWS'],
] as const
export const names = {
  root: distinguishedName(...amazon, ['CN', 'aws.nitro-enclaves']),
  regional: distinguishedName(...amazon, ['CN', '0123.eu-north-1.aws.nitro-enclaves']),
  instance: distinguishedName(...amazon, ['CN', 'i-0123.eu-north-1.aws.nitro-enclaves']),
  leaf: distinguishedName(...amazon, ['CN', 'i-0123-enc0456.eu-north-1.aws']),
} as const
type Role = keyof typeof names

export const keys = { root: p384(), regional: p384(), instance: p384(), leaf: p384() } satisfies Record<
  Role,
  KeyPairKeyObjectResult
>

const fields: Record<Role, CertificateFields> = {
  root: {
    serial: 1,
    issuer: names.root,
    subject: names.root,
    notBefore: NOW - 1000 * DAY,
    notAfter: NOW + 9000 * DAY,
    publicKey: keys.root.publicKey,
    extensions: [basicConstraints(true), keyUsage('certificateAndCrlSign')],
  },
  regional: {
    serial: 2,
    issuer: names.root,
    subject: names.regional,
    notBefore: NOW - 5 * DAY,
    notAfter: NOW + 15 * DAY,
    publicKey: keys.regional.publicKey,
    extensions: [basicConstraints(true, 1), keyUsage('certificateAndCrlSign')],
  },
  instance: {
    serial: 3,
    issuer: names.regional,
    subject: names.instance,
    notBefore: NOW - HOUR,
    notAfter: NOW + 23 * HOUR,
    publicKey: keys.instance.publicKey,
    extensions: [basicConstraints(true, 0), keyUsage('certificateSign')],
  },
  leaf: {
    serial: 4,
    issuer: names.instance,
    subject: names.leaf,
    notBefore: NOW - MINUTE,
    notAfter: NOW + 3 * HOUR,
    publicKey: keys.leaf.publicKey,
    extensions: [basicConstraints(false), keyUsage('digitalSignature')],
  },
}
const issuerOf = {
  root: 'root',
  regional: 'root',
  instance: 'regional',
  leaf: 'instance',
} as const satisfies Record<Role, Role>

export const signers: Record<Role, Signer> = {
  root: ecdsaSha384(keys.root.privateKey),
  regional: ecdsaSha384(keys.regional.privateKey),
  instance: ecdsaSha384(keys.instance.privateKey),
  leaf: ecdsaSha384(keys.leaf.privateKey),
}
const leafKey = keys.leaf.privateKey

export function minted(
  role: Role,
  changes: Partial<CertificateFields> = {},
  signer = signers[issuerOf[role]],
): Buffer {
  return certificate({ ...fields[role], ...changes }, signer)
}
export const chain: Record<Role, Buffer> = {
  root: minted('root'),
  regional: minted('regional'),
  instance: minted('instance'),
  leaf: minted('leaf'),
}

export const NONCE = Buffer.alloc(32, 0x6e)
export const PCR0 = Buffer.alloc(48, 0xa0)
export const PCR1 = Buffer.alloc(48, 0xa1)
export const PCR2 = Buffer.alloc(48, 0xa2)
export const HPKE_KEY = Buffer.alloc(32, 0x4b)
export const TLS_KEY = Buffer.alloc(32, 0x7f)
const hex = (value: Buffer) => value.toString('hex')
export const image = { pcr0: hex(PCR0), pcr1: hex(PCR1), pcr2: hex(PCR2) }

/** In the order in which AWS writes them. */
export const members = {
  module_id: 'i-0123-enc0456',
  digest: 'SHA384',
  timestamp: NOW,
  pcrs: new Map([PCR0, PCR1, PCR2, Buffer.alloc(48)].map((pcr, index) => [index, bytes(pcr)])),
  certificate: bytes(chain.leaf),
  cabundle: [chain.root, chain.regional, chain.instance].map(bytes),
  public_key: bytes(HPKE_KEY),
  user_data: bytes(TLS_KEY),
  nonce: bytes(NONCE),
} satisfies Record<string, Writable>

/** The payload with members replaced; one that is undefined is left out. */
export function payloadWith(changes: Readonly<Record<string, Writable | undefined>> = {}): Buffer {
  const all: Record<string, Writable | undefined> = { ...members, ...changes }
  return map(
    Object.entries(all).flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const])),
  )
}

export const HEADER = Buffer.from('a1013822', 'hex')

/** RFC 9052 section 4.4. */
export function signatureOver(
  payload: Uint8Array,
  key: KeyObject = leafKey,
  header: Uint8Array = HEADER,
  hash = 'sha384',
): Buffer {
  return sign(hash, write(['Signature1', bytes(header), bytes(Buffer.alloc(0)), bytes(payload)]), {
    key,
    dsaEncoding: 'ieee-p1363',
  })
}

/** COSE_Sign1 of these parts, as AWS sends it: without its tag. */
export function message(
  payload: Uint8Array,
  signature: Uint8Array = signatureOver(payload),
  header: Uint8Array = HEADER,
): Buffer {
  return write([bytes(header), new Map<string, Writable>(), bytes(payload), bytes(signature)])
}

export function documentWith(changes: Readonly<Record<string, Writable | undefined>> = {}): Buffer {
  return message(payloadWith(changes))
}

/** Everything as it should be: each test takes one thing away. */
export function inputWith(document: Uint8Array, changes: Partial<NitroInput> = {}): NitroInput {
  return { document, root: chain.root, policy: { images: [image] }, now: NOW + 100, nonce: NONCE, ...changes }
}
