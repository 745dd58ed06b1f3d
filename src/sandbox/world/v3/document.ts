import { createHash } from 'node:crypto'
import type { CollateralItem } from '../evidence.ts'
import { rawX25519, tlsFingerprint } from '../enclave.ts'
import { mintHardwareEvidence, type HardwareChanges } from './hardware.ts'
import type { MintingWorld } from './document-desk.ts'
import { mintReferenceValues, type ReferenceChanges } from './reference-values.ts'

const reportDataAlgorithm = 'https://tinfoil.sh/report-data/v1'

/** Attestation document v3, member for member. */
interface AttestationDocument {
  readonly format: string
  readonly challenge: {
    readonly nonce: string
    readonly report_data: string
    readonly report_data_algorithm: string
  }
  readonly cpu_evidence: {
    readonly format: string
    readonly report_base64: string
    readonly endorsed: { readonly crypto_material_hash: string; readonly device_evidence_hash: string }
  }
  /** Base64 of JSON. */
  readonly crypto_material: string
  readonly device_evidence: string
  readonly collateral: readonly CollateralItem[]
}

export interface CryptoItem {
  readonly id: string
  readonly format: string
  /** Lowercase hex. */
  readonly data: string
}

/**
 * The inputs of a document, and a test's changes to it before anything is hashed and signed. Every change
 * is signed with the genuine keys. Unsigned changes are made to the finished document.
 */
export interface DocumentRequest extends HardwareChanges, ReferenceChanges {
  /** 32 bytes. */
  readonly nonce: Uint8Array
  /** The nonce that the hardware binds, if it's another one. `challenge` keeps to `nonce`. */
  readonly reportNonce?: Uint8Array
  /** 64 bytes that the hardware binds in place of REPORT_DATA. `challenge` keeps to REPORT_DATA. */
  readonly reportData?: Uint8Array
  readonly cryptoItems?: (items: readonly CryptoItem[]) => readonly object[]
  readonly deviceItems?: readonly object[]
  /** The section's exact bytes. */
  readonly cryptoMaterial?: Uint8Array
  readonly deviceEvidence?: Uint8Array
  /** Minted before with `mintReferenceValues`; then the changes of these four entries have no effect. */
  readonly referenceValues?: readonly CollateralItem[]
}

/** The enclave's answer to a nonce: some 30 ms of signing, or half of that with `referenceValues`. */
export function mintDocument(world: MintingWorld, request: DocumentRequest): AttestationDocument {
  const { nonce } = request
  const cryptoMaterial = request.cryptoMaterial ?? cryptoSection(world, request.cryptoItems)
  const deviceEvidence =
    request.deviceEvidence ?? section('https://tinfoil.sh/device-evidence/v1', request.deviceItems ?? [])
  const bound = (to: Uint8Array) => reportData(to, cryptoMaterial, deviceEvidence)
  const hardware = mintHardwareEvidence(
    world,
    request.reportData ?? bound(request.reportNonce ?? nonce),
    request,
  )
  return {
    format: 'https://tinfoil.sh/predicate/attestation/v3',
    challenge: {
      nonce: hex(nonce),
      report_data: hex(bound(nonce)),
      report_data_algorithm: reportDataAlgorithm,
    },
    cpu_evidence: {
      format: hardware.format,
      report_base64: hardware.raw.toString('base64'),
      endorsed: {
        crypto_material_hash: hex(sha256(cryptoMaterial)),
        device_evidence_hash: hex(sha256(deviceEvidence)),
      },
    },
    crypto_material: Buffer.from(cryptoMaterial).toString('base64'),
    device_evidence: Buffer.from(deviceEvidence).toString('base64'),
    collateral: [...hardware.collateral, ...(request.referenceValues ?? mintReferenceValues(world, request))],
  }
}

/** REPORT_DATA: the hash of label, nonce and both sections' hashes, then 32 zero bytes. */
export function reportData(
  nonce: Uint8Array,
  cryptoMaterial: Uint8Array,
  deviceEvidence: Uint8Array,
): Buffer {
  const digest = sha256(
    Buffer.concat([
      Buffer.from(reportDataAlgorithm, 'ascii'),
      nonce,
      sha256(cryptoMaterial),
      sha256(deviceEvidence),
    ]),
  )
  return Buffer.concat([digest, Buffer.alloc(32)])
}

function cryptoSection({ keys, faults }: MintingWorld, change: DocumentRequest['cryptoItems']): Buffer {
  const hpke = faults.has('v3-other-key') ? keys.impostor : keys.hpke
  const items: readonly CryptoItem[] = [
    { id: 'tls', format: 'https://tinfoil.sh/key/spki-fp-sha256/v1', data: hex(tlsFingerprint(keys)) },
    { id: 'hpke', format: 'https://tinfoil.sh/key/x25519-hpke/v1', data: hex(rawX25519(hpke.publicKey)) },
  ]
  return section('https://tinfoil.sh/crypto-material/v1', change?.(items) ?? items)
}

function section(format: string, items: readonly object[]): Buffer {
  return Buffer.from(JSON.stringify({ format, items }), 'utf8')
}

function sha256(bytes: Uint8Array): Buffer {
  return createHash('sha256').update(bytes).digest()
}

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex')
}
