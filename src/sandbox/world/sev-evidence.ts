import { createPublicKey } from 'node:crypto'
import { amdRevocationList, currentTcb, oldTcb, vcekCertificate } from './amd.ts'
import { reportData } from './enclave.ts'
import type { CollateralItem, EvidenceRequest, PlatformEvidence } from './evidence.ts'
import { launchDigest } from './release.ts'
import { attestationReport } from './report.ts'

const day = 24 * 3600_000

/** An SEV-SNP report, the certificate of its chip, and AMD's revocation list. */
export function sevEvidence(request: EvidenceRequest): PlatformEvidence {
  const { roots, keys, faults, release, now } = request
  const tcb = faults.has('old-tcb') ? oldTcb : currentTcb
  const raw = attestationReport({
    tcb,
    debug: faults.has('debug-guest'),
    reportData: reportData(keys),
    measurement: faults.has('other-measurement') ? launchDigest('an image that no release names') : release.measurement,
    chipId: roots.chipId,
  }, roots.vcekKey)
  const expired = faults.has('expired-certificate')
  const notBefore = now - (expired ? 400 : 30) * day
  const vcek = vcekCertificate({
    askPrivateKey: roots.askKey,
    vcekPublicKey: createPublicKey(roots.vcekKey),
    tcb,
    chipId: roots.chipId,
    notBefore,
    notAfter: expired ? now - day : notBefore + 7 * 365 * day,
  })
  return {
    format: 'https://tinfoil.sh/predicate/sev-snp-guest/v2',
    raw,
    vcek: vcek.toString('base64'),
    collateral: [revocations(request)],
  }
}

function revocations({ roots, faults, now }: EvidenceRequest): CollateralItem {
  const thisUpdate = now - (faults.has('expired-collateral') ? 400 : 30) * day
  const list = amdRevocationList({
    arkPrivateKey: roots.arkKey,
    arkPublicKey: createPublicKey(roots.arkKey),
    askRevoked: faults.has('revoked-certificate'),
    thisUpdate,
    nextUpdate: thisUpdate + 365 * day,
  })
  return {
    id: 'amd-crl',
    role: 'endorsement',
    format: 'https://tinfoil.sh/collateral/amd-crl/v1',
    data: { crl_der_base64: list.toString('base64') },
  }
}
