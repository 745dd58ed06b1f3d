import { hash } from 'node:crypto'
import { isJsonObject, parseStrictJson, type JsonObject } from '../strict-json.ts'
import { decodeBase64 } from '../base64.ts'
import { bytesIn, MemberError, objectIn, objectsIn, textIn } from '../json-members.ts'
import { parseOnce } from '../parse-once.ts'
import type { Envelope } from './dsse.ts'

/** The content of a log entry about an envelope. */
interface LoggedEnvelope {
  /** `kind/apiVersion`. */
  readonly type: string
  readonly signature: Buffer
  /** SHA-256 of the payload, or of all signed bytes. */
  readonly digest: Buffer
  readonly of: 'payload' | 'signed'
  /** DER of the signer's certificate. */
  readonly certificate: Buffer
}

const KIB = 1024
const SHA_256_HEX = /^[0-9a-f]{64}$/

/**
 * The kinds of entries for DSSE envelopes: Rekor's own schemas (pkg/types) and, of the second generation,
 * rekor/v2/*.proto.
 */
const readers: Readonly<Record<string, (spec: JsonObject) => Omit<LoggedEnvelope, 'type'>>> = {
  'dsse/0.0.1': (spec) => {
    const signature = soleSignature(spec)
    return {
      signature: bytesIn(signature, 'signature', KIB),
      digest: hexDigest(spec, 'payloadHash'),
      of: 'payload',
      certificate: pemIn(signature, 'verifier'),
    }
  },
  'intoto/0.0.2': (spec) => {
    const content = objectIn(spec, 'content')
    const signature = soleSignature(objectIn(content, 'envelope'))
    // The signature is base64-encoded twice.
    const inner = decodeBase64(bytesIn(signature, 'sig', 2 * KIB).toString('latin1'))
    if (!inner) throw new MemberError('sig')
    return {
      signature: inner,
      digest: hexDigest(content, 'payloadHash'),
      of: 'payload',
      certificate: pemIn(signature, 'publicKey'),
    }
  },
  'dsse/0.0.2': (spec) => {
    const entry = objectIn(spec, 'dsseV002')
    const signature = soleSignature(entry)
    return { ...signatureIn(signature), digest: digestIn(entry, 'payloadHash'), of: 'payload' }
  },
  'hashedrekord/0.0.2': (spec) => {
    const entry = objectIn(spec, 'hashedRekordV002')
    return { ...signatureIn(objectIn(entry, 'signature')), digest: digestIn(entry, 'data'), of: 'signed' }
  },
}

/**
 * Whether an entry's body records this envelope: its signature, its content and the certificate of its
 * signer.
 *
 * @param type `kind/apiVersion`, as the bundle claims
 * @param signed the envelope's pre-authentication encoding
 * @param certificate DER
 */
export function isEntryOf(
  body: Uint8Array,
  type: string,
  envelope: Envelope,
  signed: Buffer,
  certificate: Uint8Array,
): boolean {
  const logged = readBody(body)
  return (
    logged?.type === type &&
    logged.signature.equals(envelope.signature) &&
    Buffer.compare(logged.certificate, certificate) === 0 &&
    logged.digest.equals(hash('sha256', logged.of === 'payload' ? envelope.payload : signed, 'buffer'))
  )
}

/** Returns undefined if the body isn't of a kind for envelopes. */
const readBody = parseOnce((body): LoggedEnvelope | undefined => {
  try {
    const json = parseStrictJson(body)
    if (!isJsonObject(json)) return undefined
    const type = `${textIn(json, 'kind', 64)}/${textIn(json, 'apiVersion', 16)}`
    const read = Object.hasOwn(readers, type) ? readers[type] : undefined
    return read && { type, ...read(objectIn(json, 'spec')) }
  } catch {
    return undefined
  }
})

function soleSignature(holder: JsonObject): JsonObject {
  const [signature] = objectsIn(holder, 'signatures', 1)
  if (!signature) throw new MemberError('signatures')
  return signature
}

function signatureIn(signature: JsonObject): Pick<LoggedEnvelope, 'signature' | 'certificate'> {
  const certificate = objectIn(objectIn(signature, 'verifier'), 'x509Certificate')
  return {
    signature: bytesIn(signature, 'content', KIB),
    certificate: bytesIn(certificate, 'rawBytes', 16 * KIB),
  }
}

function hexDigest(holder: JsonObject, name: string): Buffer {
  const { algorithm, value } = objectIn(holder, name)
  if (algorithm !== 'sha256' || typeof value !== 'string' || !SHA_256_HEX.test(value))
    throw new MemberError(name)
  return Buffer.from(value, 'hex')
}

function digestIn(holder: JsonObject, name: string): Buffer {
  const digest = objectIn(holder, name)
  if (digest['algorithm'] !== 'SHA2_256') throw new MemberError(name)
  return bytesIn(digest, 'digest', 32)
}

const PEM = /^-----BEGIN CERTIFICATE-----\s([A-Za-z0-9+/=\s]+)-----END CERTIFICATE-----\s*$/

/** Logs store PEM as they received it, so its lines may have any length. */
function pemIn(holder: JsonObject, name: string): Buffer {
  const [, text] = PEM.exec(bytesIn(holder, name, 24 * KIB).toString('latin1')) ?? []
  const der = decodeBase64(text?.replace(/\s/g, '') ?? '')
  if (!der || der.length === 0) throw new MemberError(name)
  return der
}
