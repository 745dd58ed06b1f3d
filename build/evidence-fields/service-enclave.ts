import type { EvidenceField } from './field.ts'

type Member = Pick<EvidenceField, 'name' | 'steps' | 'note'>

/** Every member of the answer of the service's own enclave that is read. */
export const answerFields: readonly Member[] = [
  {
    name: 'attestation_document_b64',
    steps: ['service-enclave/answer'],
    note: 'the next table lists its members',
  },
  {
    name: 'hpke_public_key',
    steps: ['service-enclave/answer', 'service-enclave/encryption-key'],
    note: 'a claim: requests are sealed to the document’s public_key only',
  },
  {
    name: 'cert_spki_der',
    steps: ['service-enclave/answer', 'service-enclave/tls-key'],
    note: 'optional; it verifies routing receipts',
  },
  {
    name: 'cert_spki_sha256',
    steps: ['service-enclave/answer', 'service-enclave/tls-key'],
    note: 'optional; a claim',
  },
  { name: 'format', steps: ['service-enclave/answer'], note: 'optional' },
  { name: 'any other member', steps: [], note: 'not read' },
]

/** Members of the Nitro document on which other steps decide than in the service's v2 bundle. */
export const answerDocumentFields: readonly Member[] = [
  { name: 'timestamp', steps: ['nitro/chain-validity', 'nitro/time', 'service-enclave/age'] },
  { name: 'pcr 0', steps: ['nitro/debug', 'service-enclave/image'] },
  {
    name: 'public_key',
    steps: ['nitro/keys', 'service-enclave/encryption-key'],
    note: 'the key that requests are sealed to',
  },
  {
    name: 'user_data',
    steps: ['nitro/keys', 'service-enclave/tls-key'],
    note: 'compared with no connection: service-enclave/connection is always not checked',
  },
]

/** Every member of the service's record of its images that is read. */
export const imageRecordFields: readonly Member[] = [
  { name: 'updated', steps: ['service-enclave/image-record'] },
  { name: 'accepted_pcr0', steps: ['service-enclave/image-record', 'service-enclave/image'] },
  { name: 'current.pcr0', steps: ['service-enclave/image-record'], note: 'must be accepted' },
  {
    name: 'current.version, current.source_commit',
    steps: ['service-enclave/image-record'],
    note: 'claims; shown for the current image only',
  },
  { name: 'any other member', steps: [], note: 'not read' },
]
