import type { EvidenceField } from './field.ts'

type Member = Pick<EvidenceField, 'name' | 'steps' | 'note'>

const CODE = ['v3/code']
const PLATFORM = ['v3/platform']
const HARDWARE = ['v3/hardware']

/** Every member of attestation document v3. Formats are all decided by `v3/document`, which refuses unknown members. */
export const v3DocumentFields: readonly Member[] = [
  { name: 'format', steps: ['v3/document'] },
  {
    name: 'challenge.nonce',
    steps: ['v3/nonce', 'v3/signed'],
    note: 'compared with our own copy, which the hardware’s signature covers',
  },
  {
    name: 'challenge.report_data',
    steps: ['v3/hashes'],
    note: 'calculated here, and the report must contain the result',
  },
  { name: 'challenge.report_data_algorithm', steps: ['v3/document'] },
  { name: 'cpu_evidence.format', steps: ['v3/document', 'v3/hardware'] },
  {
    name: 'cpu_evidence.report_base64',
    steps: ['v3/hardware', 'v3/signed', 'v3/machine', 'v3/measurement', 'v3/settings', 'v3/firmware'],
    note: 'the tables above list its fields',
  },
  { name: 'cpu_evidence.endorsed.crypto_material_hash', steps: ['v3/hashes'] },
  { name: 'cpu_evidence.endorsed.device_evidence_hash', steps: ['v3/hashes'] },
  {
    name: 'crypto_material',
    steps: ['v3/document', 'v3/hashes', 'v3/signed'],
    note: 'its bytes as received',
  },
  {
    name: 'device_evidence',
    steps: ['v3/document', 'v3/hashes', 'v3/signed'],
    note: 'its bytes as received',
  },
  {
    name: 'collateral',
    steps: ['v3/document'],
    note: 'each entry is worth only what its own signature proves',
  },
  { name: 'any other member', steps: ['v3/document'] },
]

export const cryptoMaterialFields: readonly Member[] = [
  { name: 'format', steps: ['v3/document'] },
  {
    name: 'item tls',
    steps: ['v3/keys', 'v3/same-enclave'],
    note: 'must be the TLS key of the service’s evidence',
  },
  {
    name: 'item hpke',
    steps: ['v3/keys', 'v3/same-enclave'],
    note: 'must be the key that requests are sealed to',
  },
  {
    name: 'other items',
    steps: ['v3/document'],
    note: 'only their form and a unique ID; signed, and used for nothing',
  },
]

export const deviceEvidenceFields: readonly Member[] = [
  { name: 'format', steps: ['v3/document'] },
  {
    name: 'id, kind, vendor and format of an item',
    steps: ['v3/document'],
    note: 'only their form and a unique ID',
  },
  {
    name: 'evidence of an item',
    steps: ['v3/hashes', 'v3/signed', 'v3/devices'],
    note: 'signed with the nonce, and not judged: v3/devices is always not checked',
  },
]

export const collateralFields: readonly Member[] = [
  {
    name: 'id, role, format and subjects of an entry',
    steps: ['v3/document'],
    note: 'of several entries for one purpose, the first counts',
  },
  { name: 'amd-vcek/v1', steps: HARDWARE, note: 'ASK and ARK must equal the shipped ones' },
  { name: 'amd-crl/v1', steps: HARDWARE, note: 'required, unlike in the v2 bundle' },
  { name: 'intel-pcs/v1', steps: HARDWARE, note: 'Intel’s four answers, as in the v2 bundle' },
  {
    name: 'sigstore-code/v1: repo, tag, digest',
    steps: CODE,
    note: 'compared with the policy and with the signature',
  },
  {
    name: 'sigstore-code/v1: sigstore_bundle',
    steps: ['v3/code', 'v3/measurement', 'v3/settings', 'v3/same-enclave'],
  },
  {
    name: 'sigstore-platform/v1: repo, tag, digest',
    steps: PLATFORM,
    note: 'compared with the policy and with the signature',
  },
  {
    name: 'sigstore-platform/v1: sigstore_bundle',
    steps: ['v3/platform', 'v3/machine', 'v3/settings', 'v3/firmware'],
  },
  { name: 'sigstore-freshness/v1: code-freshness', steps: ['v3/code-freshness'] },
  { name: 'sigstore-freshness/v1: platform-freshness', steps: ['v3/platform-freshness'] },
  { name: 'entries of other formats', steps: ['v3/document'], note: 'only their form; used for nothing' },
]
