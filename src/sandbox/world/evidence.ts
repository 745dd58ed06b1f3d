import { createHash, createPublicKey } from 'node:crypto'
import { promisify } from 'node:util'
import { gzip, gzipSync } from 'node:zlib'
import type { SandboxFault } from '../../shared/sandbox-faults.ts'
import { pem } from '../der/certificate.ts'
import { certificateLabelSuffix, enclaveHost, repository } from '../profile.ts'
import { currentTcb, oldTcb, vcekCertificate } from './amd.ts'
import { rawX25519, reportData, type EnclaveKeys } from './enclave.ts'
import { deploymentDigest, provenance, type SigstoreBundle } from './provenance.ts'
import { currentRelease, launchDigest, olderRelease } from './release.ts'
import { attestationReport } from './report.ts'
import type { Rekor } from './rekor.ts'
import type { Roots } from './roots.ts'
import { enclaveCertificate } from './tls-certificate.ts'

const documentFormat = 'https://tinfoil.sh/predicate/sev-snp-guest/v2'
const day = 24 * 3600_000
/** What the gzip bomb unpacks to: from about 64 KiB on the wire. */
const bombBytes = 64 * 1024 * 1024

/** The bundle that `GET /private/attestation` answers with. */
export interface EvidenceBundle {
  readonly domain: string
  readonly enclaveAttestationReport: { readonly format: string; readonly body: string }
  /** SHA-256 (hex) of the release's deployment file. */
  readonly digest: string
  readonly sigstoreBundle: SigstoreBundle
  /** Base64 of DER. */
  readonly vcek: string
  readonly enclaveCert: string
}

/** The faults that show in the evidence; each changes one thing, and signs it with the true keys. */
export const evidenceFaults = [
  'other-measurement', 'swapped-key', 'debug-guest', 'old-tcb', 'expired-vcek', 'wrong-repository', 'other-host', 'older-release', 'gzip-bomb',
] as const satisfies readonly SandboxFault[]

export interface EvidenceRequest {
  readonly roots: Roots
  readonly rekor: Rekor
  readonly keys: EnclaveKeys
  readonly faults: ReadonlySet<SandboxFault>
  /** Unix ms. */
  readonly now: number
}

/** Everything that proves what the enclave runs and which keys are its own: about 15 ms of signing. */
export async function mintEvidence({ roots, rekor, keys, faults, now }: EvidenceRequest): Promise<EvidenceBundle> {
  const release = faults.has('older-release') ? olderRelease(now) : currentRelease(now)
  const tcb = faults.has('old-tcb') ? oldTcb : currentTcb
  const host = faults.has('other-host') ? 'enclave.another-sandbox.example' : enclaveHost
  const report = attestationReport({
    tcb,
    debug: faults.has('debug-guest'),
    reportData: reportData(keys),
    measurement: faults.has('other-measurement') ? launchDigest('an image that no release names') : release.measurement,
    chipId: roots.chipId,
  }, roots.vcekKey)
  const body = (await compress(report, faults.has('gzip-bomb'))).toString('base64')
  const notBefore = now - (faults.has('expired-vcek') ? 400 : 30) * day
  const vcek = vcekCertificate({
    askPrivateKey: roots.askKey,
    vcekPublicKey: createPublicKey(roots.vcekKey),
    tcb,
    chipId: roots.chipId,
    notBefore,
    notAfter: faults.has('expired-vcek') ? now - day : notBefore + 7 * 365 * day,
  })
  const certificate = enclaveCertificate({
    host,
    labelSuffix: certificateLabelSuffix,
    publicKey: keys.tls.publicKey,
    hpkePublicKey: rawX25519(faults.has('swapped-key') ? keys.impostor.publicKey : keys.hpke.publicKey),
    documentHash: createHash('sha256').update(documentFormat).update(body).digest('hex'),
    at: now,
  }, createPublicKey(roots.webCaKey), roots.webCaKey)
  const fulcioKeys = {
    intermediatePublicKey: createPublicKey(roots.fulcioIntermediateKey),
    intermediatePrivateKey: roots.fulcioIntermediateKey,
    ctLogPublicKey: createPublicKey(roots.ctLogKey),
    ctLogPrivateKey: roots.ctLogKey,
  }
  return {
    domain: host,
    enclaveAttestationReport: { format: documentFormat, body },
    digest: deploymentDigest(release),
    sigstoreBundle: provenance(release, faults.has('wrong-repository') ? 'somebody-else/enclave' : repository, fulcioKeys, rekor),
    vcek: vcek.toString('base64'),
    enclaveCert: pem('CERTIFICATE', certificate),
  }
}

async function compress(report: Buffer, bomb: boolean): Promise<Buffer> {
  if (!bomb) return gzipSync(report)
  const swollen = Buffer.alloc(bombBytes)
  swollen.set(report)
  return promisify(gzip)(swollen, { level: 9 })
}
