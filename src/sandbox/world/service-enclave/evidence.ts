import { createPublicKey, createHash, generateKeyPairSync, type KeyPairKeyObjectResult } from 'node:crypto'
import { spkiDer } from '../../der/certificate.ts'
import { nitroChain } from '../aws/chain.ts'
import { nitroDocument, pcrsOf, type NitroImage } from '../aws/document.ts'
import { rawX25519 } from '../enclave.ts'
import type { Roots } from '../roots.ts'

/** The keys of the service's own enclave. They have nothing in common with the keys of the enclave that runs private models. */
export class ServiceEnclaveKeys {
  #hpke: KeyPairKeyObjectResult = generateKeyPairSync('x25519')
  /** P-256: signs routing receipts too. */
  readonly tls: KeyPairKeyObjectResult = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  /** P-256, attested by nothing: an attacker's key for forged receipts. */
  readonly forger: KeyPairKeyObjectResult = generateKeyPairSync('ec', { namedCurve: 'P-256' })

  /** X25519: requests are sealed to it. */
  get hpke(): KeyPairKeyObjectResult {
    return this.#hpke
  }

  /** 32 bytes. */
  get rawHpke(): Buffer {
    return rawX25519(this.#hpke.publicKey)
  }

  /** DER of the TLS key's SubjectPublicKeyInfo. */
  get spki(): Buffer {
    return spkiDer(this.tls.publicKey)
  }

  /** SHA-256 of the SPKI, 32 bytes. */
  get spkiHash(): Buffer {
    return createHash('sha256').update(this.spki).digest()
  }

  /** Replaces the HPKE key, as on a server that could not open the store of keys. The TLS key stays. */
  rotateHpke(): void {
    this.#hpke = generateKeyPairSync('x25519')
  }
}

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
