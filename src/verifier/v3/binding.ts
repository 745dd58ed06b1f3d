import { createHash, hash } from 'node:crypto'
import { REPORT_DATA_V1, type V3Document } from './document.ts'

/** The SHA-256 hashes of both sections as they were received, in lowercase hex. */
export function hashSections({ sections }: Pick<V3Document, 'sections'>): V3Document['endorsed'] {
  return {
    cryptoMaterial: hash('sha256', sections.cryptoMaterial, 'hex'),
    deviceEvidence: hash('sha256', sections.deviceEvidence, 'hex'),
  }
}

/**
 * The 64 bytes that the hardware signs, in lowercase hex: SHA-256 over a label, our nonce and both hashes, then 32 zero bytes.
 * @param nonce our own copy, 32 bytes: the document's is only its word
 * @param hashes of the sections as they were received
 */
export function reportDataOf(nonce: Uint8Array, hashes: V3Document['endorsed']): string {
  const bound = createHash('sha256')
    .update(REPORT_DATA_V1, 'ascii')
    .update(nonce)
    .update(hashes.cryptoMaterial, 'hex')
    .update(hashes.deviceEvidence, 'hex')
    .digest('hex')
  return bound + '0'.repeat(64)
}
