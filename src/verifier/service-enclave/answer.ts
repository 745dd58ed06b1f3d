import { msg } from '../message.ts'
import type { JsonObject } from '../strict-json.ts'
import { bytesIn, matchIn } from '../json-members.ts'
import { MAX_SIGNED_BYTES } from '../nitro/index.ts'
import { readUnambiguousObject } from '../v3/exact-json.ts'
import { fail, passed, type Finding } from '../steps.ts'
import { EvidenceError } from '../text.ts'
import { MAX_ANSWER_BYTES } from './limits.ts'

/** A SubjectPublicKeyInfo of an RSA key of 16384 bits, the largest that OpenSSL verifies with, has about 2 KiB. */
const MAX_SPKI = 4096
const HEX_32 = /^[0-9a-f]{64}$/
const FORMAT = 'nsm-cose-sign1'

/**
 * The response of the enclave's server. Only the document is signed, and everything else is a claim until it
 * is compared with the document.
 */
export interface Answer {
  /** A COSE_Sign1 message. */
  readonly document: Uint8Array
  /** Lowercase hex. */
  readonly hpkePublicKey: string
  /** DER; older images don't send it. */
  readonly tlsKey?: Uint8Array
  /** Lowercase hex SHA-256 of the TLS key. */
  readonly tlsKeyFingerprint?: string
}

/**
 * Reads `{attestation_document_b64, hpke_public_key, cert_spki_der?, cert_spki_sha256?, format?}`. Other
 * members are ignored. Fails with `service-enclave/answer-too-large` or `service-enclave/answer-malformed`.
 */
export function readAnswer(bytes: Uint8Array): Finding<{ readonly read: Answer }> {
  const expected = msg('a JSON document of at most 64 KiB with an attestation document and an encryption key')
  if (bytes.length > MAX_ANSWER_BYTES)
    return fail('service-enclave/answer-too-large', expected, msg('{count} bytes', { count: bytes.length }))
  try {
    return passed(expected, expected, { read: readMembers(readUnambiguousObject(bytes, 'answer')) })
  } catch (error) {
    if (error instanceof EvidenceError)
      return fail('service-enclave/answer-malformed', expected, error.observed)
    throw error
  }
}

function readMembers(answer: JsonObject): Answer {
  const { format } = answer
  if (format !== undefined && format !== FORMAT) throw new EvidenceError(msg('another format'))
  return {
    document: bytesIn(answer, 'attestation_document_b64', MAX_SIGNED_BYTES),
    hpkePublicKey: matchIn(answer, 'hpke_public_key', HEX_32),
    ...(isThere(answer, 'cert_spki_der') && { tlsKey: bytesIn(answer, 'cert_spki_der', MAX_SPKI) }),
    ...(isThere(answer, 'cert_spki_sha256') && {
      tlsKeyFingerprint: matchIn(answer, 'cert_spki_sha256', HEX_32),
    }),
  }
}

function isThere(answer: JsonObject, name: string): boolean {
  return answer[name] !== undefined && answer[name] !== null
}
