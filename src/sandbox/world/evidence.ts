import { createHash, createPublicKey, randomBytes } from 'node:crypto'
import { promisify } from 'node:util'
import { gzip, gzipSync } from 'node:zlib'
import type { SandboxFault, SandboxPlatform } from '../../shared/sandbox-faults.ts'
import { pem } from '../der/certificate.ts'
import { certificateLabelSuffix, enclaveHost, repository } from '../profile.ts'
import { nitroChain } from './aws/chain.ts'
import { imageOf, nitroDocument, nitroImage, pcrsOf } from './aws/document.ts'
import { rawX25519, tlsFingerprint, type EnclaveKeys } from './enclave.ts'
import type { FulcioKeys } from './fulcio.ts'
import { provenance, type SigstoreBundle } from './provenance.ts'
import type { Rekor } from './rekor.ts'
import { currentRelease, deploymentDigest, olderRelease, signedRelease, type Release } from './release.ts'
import type { Roots } from './roots.ts'
import { sevEvidence } from './sev-evidence.ts'
import { tdxEvidence } from './tdx-evidence.ts'
import { enclaveCertificate } from './tls-certificate.ts'

/** What the gzip bomb unpacks to: from about 64 KiB on the wire. */
const bombBytes = 64 * 1024 * 1024

/** How a document carries a report: as gzip. A bomb is the report followed by zeros. */
async function pack(report: Buffer, bomb: boolean): Promise<Buffer> {
  if (!bomb) return gzipSync(report)
  const swollen = Buffer.alloc(bombBytes)
  swollen.set(report)
  return promisify(gzip)(swollen, { level: 9 })
}

/** A statement about evidence from outside the enclave, in the format of the document's version 3. */
export interface CollateralItem {
  readonly id: string
  readonly role: 'endorsement' | 'reference-values'
  readonly format: string
  /** The evidence that it vouches for, in document v3 only. */
  readonly subjects?: readonly string[]
  readonly data: object
}

/** The bundle that `GET /private/attestation` answers with. */
export interface EvidenceBundle {
  readonly domain: string
  readonly enclaveAttestationReport: { readonly format: string; readonly body: string }
  /**
   * SHA-256 (hex) of the release's deployment file, and its signature. Only the policy names Nitro's
   * images.
   */
  readonly digest?: string
  readonly sigstoreBundle?: SigstoreBundle
  /** SEV-SNP: base64 of DER. */
  readonly vcek?: string
  readonly enclaveCert: string
  readonly collateral?: readonly CollateralItem[]
}

/** The faults that show in the evidence; each changes one thing, and signs it with the true keys. */
export const evidenceFaults = [
  'other-measurement',
  'swapped-key',
  'debug-guest',
  'old-tcb',
  'expired-certificate',
  'revoked-certificate',
  'expired-collateral',
  'missing-collateral',
  'tcb-out-of-date',
  'rtmr3-not-zero',
  'other-hardware',
  'forged-hardware-list',
  'wrong-nonce',
  'wrong-repository',
  'other-host',
  'older-release',
  'gzip-bomb',
] as const satisfies readonly SandboxFault[]

export interface EvidenceRequest {
  readonly platform: SandboxPlatform
  readonly roots: Roots
  readonly rekor: Rekor
  readonly fulcio: FulcioKeys
  readonly keys: EnclaveKeys
  readonly faults: ReadonlySet<SandboxFault>
  /** The caller's nonce of 32 bytes, if there is one. Only Nitro has a member for it. */
  readonly nonce: Uint8Array | null
  /** Unix ms. */
  readonly now: number
  readonly release: Release
}

/** The inputs of a machine's own evidence. */
export type MachineRequest = Pick<EvidenceRequest, 'roots' | 'faults' | 'release' | 'now'>

/** The evidence of one platform. */
export interface PlatformEvidence {
  readonly format: string
  /** Report, quote or document, as it is packed. */
  readonly raw: Buffer
  readonly vcek?: string
  readonly collateral?: readonly CollateralItem[]
}

const platforms: Readonly<Record<SandboxPlatform, (request: EvidenceRequest) => PlatformEvidence>> = {
  'sev-snp': sevEvidence,
  tdx: tdxEvidence,
  nitro: nitroEvidence,
}

/** Generates all evidence of the enclave's code and keys: about 20 ms of signing. */
export async function mintEvidence(
  asked: Omit<EvidenceRequest, 'release' | 'fulcio'>,
): Promise<EvidenceBundle> {
  const { platform, roots, rekor, keys, faults, now } = asked
  const release = faults.has('older-release') ? olderRelease(now) : currentRelease(now)
  const fulcio = fulcioKeys(roots)
  const { format, raw, vcek, collateral } = platforms[platform]({ ...asked, release, fulcio })
  const body = (await pack(raw, faults.has('gzip-bomb'))).toString('base64')
  const host = faults.has('other-host') ? 'enclave.another-sandbox.example' : enclaveHost
  const certificate = enclaveCertificate(
    {
      host,
      labelSuffix: certificateLabelSuffix,
      publicKey: keys.tls.publicKey,
      hpkePublicKey: rawX25519(faults.has('swapped-key') ? keys.impostor.publicKey : keys.hpke.publicKey),
      documentHash: createHash('sha256').update(format).update(body).digest('hex'),
      at: now,
    },
    createPublicKey(roots.webCaKey),
    roots.webCaKey,
  )
  const signed = signedRelease(release, faults.has('wrong-repository') ? 'somebody-else/enclave' : repository)
  return {
    domain: host,
    enclaveAttestationReport: { format, body },
    ...(platform !== 'nitro' && {
      digest: deploymentDigest(release),
      sigstoreBundle: provenance(signed, fulcio, rekor),
    }),
    ...(vcek !== undefined && { vcek }),
    enclaveCert: pem(certificate),
    ...(collateral && { collateral }),
  }
}

export function fulcioKeys(roots: Roots): FulcioKeys {
  return {
    intermediatePublicKey: createPublicKey(roots.fulcioIntermediateKey),
    intermediatePrivateKey: roots.fulcioIntermediateKey,
    ctLogPublicKey: createPublicKey(roots.ctLogKey),
    ctLogPrivateKey: roots.ctLogKey,
  }
}

/** Generates a Nitro attestation document for one request, with its own chain. */
function nitroEvidence({ roots, keys, faults, nonce, now }: EvidenceRequest): PlatformEvidence {
  const rootKey = { publicKey: createPublicKey(roots.awsRootKey), privateKey: roots.awsRootKey }
  const image = faults.has('other-measurement') ? imageOf('an image that no policy names') : nitroImage
  const raw = nitroDocument(
    {
      pcrs: pcrsOf(image, faults.has('debug-guest')),
      publicKey: rawX25519(keys.hpke.publicKey),
      ...(faults.has('swapped-key') && { forgedPublicKey: rawX25519(keys.impostor.publicKey) }),
      userData: tlsFingerprint(keys),
      nonce: faults.has('wrong-nonce') ? randomBytes(32) : nonce,
      at: now,
    },
    nitroChain(roots.awsRoot, rootKey, faults.has('expired-certificate'), now),
  )
  return { format: 'https://tinfoil.sh/predicate/aws-nitro-enclave/v1', raw }
}
