import { createPublicKey } from 'node:crypto'
import { nitroChain } from '../aws/chain.ts'
import { nitroDocument } from '../aws/document.ts'
import { pcrsOf, type NitroImage } from '../aws/image.ts'
import type { Roots } from '../roots.ts'
import type { ServiceEnclaveKeys } from './keys.ts'

/** The answer to `GET /attestation`. Only the document counts: an attacker controls the other members. */
export interface ServiceEnclaveEvidence {
  /** COSE_Sign1, base64. */
  readonly attestation_document_b64: string
  /** Hex, 32 bytes each. */
  readonly hpke_public_key: string
  readonly cert_spki_sha256: string
  /** Base64. */
  readonly cert_spki_der: string
  readonly format: 'nsm-cose-sign1'
}

interface ServiceEnclaveEvidenceRequest {
  readonly roots: Pick<Roots, 'awsRoot' | 'awsRootKey'>
  readonly keys: ServiceEnclaveKeys
  readonly image: NitroImage
  readonly nonce: Uint8Array | null
  /** Unix ms. */
  readonly now: number
}

/** Mints a document for this nonce, with a certificate chain of its own. */
export function mintServiceEnclaveEvidence({
  roots,
  keys,
  image,
  nonce,
  now,
}: ServiceEnclaveEvidenceRequest): ServiceEnclaveEvidence {
  const rootKey = { publicKey: createPublicKey(roots.awsRootKey), privateKey: roots.awsRootKey }
  const document = nitroDocument(
    { pcrs: pcrsOf(image, false), publicKey: keys.rawHpke, userData: keys.spkiHash, nonce, at: now },
    nitroChain(roots.awsRoot, rootKey, false, now),
  )
  return {
    attestation_document_b64: document.toString('base64'),
    hpke_public_key: keys.rawHpke.toString('hex'),
    cert_spki_sha256: keys.spkiHash.toString('hex'),
    cert_spki_der: keys.spki.toString('base64'),
    format: 'nsm-cose-sign1',
  }
}

/**
 * The server ignores a nonce that it can't use, and answers without one.
 * @param value the query parameter: even-length hex of at most 128 characters
 */
export function parseNonce(value: unknown): Buffer | null {
  return typeof value === 'string' && /^(?:[0-9a-f]{2}){1,64}$/i.test(value)
    ? Buffer.from(value, 'hex')
    : null
}
