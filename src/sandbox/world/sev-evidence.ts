import { createPublicKey } from 'node:crypto'
import {
  amdRevocationList,
  currentTcb,
  oldTcb,
  vcekCertificate,
  type AmdListFields,
  type VcekFields,
} from './amd.ts'
import { reportData } from './enclave.ts'
import type { CollateralItem, EvidenceRequest, MachineRequest, PlatformEvidence } from './evidence.ts'
import { launchDigest } from './release.ts'
import { attestationReport, type Patches } from './report.ts'
import { day } from '../profile.ts'

/** A test's changes to a machine, before it's signed. */
export interface SevChanges {
  /** Over the report. */
  readonly patches?: Patches
  readonly vcek?: Partial<VcekFields>
  readonly revocations?: Partial<AmdListFields>
}

interface SevMachine {
  readonly report: Buffer
  /** DER. */
  readonly vcek: Buffer
  readonly revocations: CollateralItem
}

/** An SEV-SNP report, the certificate of its chip, and AMD's revocation list. */
export function sevEvidence(request: EvidenceRequest): PlatformEvidence {
  const { report, vcek, revocations } = sevMachine(request, reportData(request.keys))
  return {
    format: 'https://tinfoil.sh/predicate/sev-snp-guest/v2',
    raw: report,
    vcek: vcek.toString('base64'),
    collateral: [revocations],
  }
}

/** The machine's report over these 64 bytes, and AMD's endorsements of it. */
export function sevMachine(
  request: MachineRequest,
  boundData: Uint8Array,
  changes: SevChanges = {},
): SevMachine {
  const { roots, faults, release, now } = request
  const tcb = faults.has('old-tcb') ? oldTcb : currentTcb
  const report = attestationReport(
    {
      tcb,
      debug: faults.has('debug-guest'),
      reportData: boundData,
      measurement: faults.has('other-measurement')
        ? launchDigest('an image that no release names')
        : release.measurement,
      chipId: roots.chipId,
      patches: changes.patches,
    },
    roots.vcekKey,
  )
  const expired = faults.has('expired-certificate')
  const notBefore = now - (expired ? 400 : 30) * day
  const vcek = vcekCertificate({
    askPrivateKey: roots.askKey,
    vcekPublicKey: createPublicKey(roots.vcekKey),
    tcb,
    chipId: roots.chipId,
    notBefore,
    notAfter: expired ? now - day : notBefore + 7 * 365 * day,
    ...changes.vcek,
  })
  return { report, vcek, revocations: revocations(request, changes.revocations) }
}

function revocations(
  { roots, faults, now }: MachineRequest,
  changes?: Partial<AmdListFields>,
): CollateralItem {
  const thisUpdate = now - (faults.has('expired-collateral') ? 400 : 30) * day
  const list = amdRevocationList({
    arkPrivateKey: roots.arkKey,
    arkPublicKey: createPublicKey(roots.arkKey),
    askRevoked: faults.has('revoked-certificate'),
    thisUpdate,
    nextUpdate: thisUpdate + 365 * day,
    ...changes,
  })
  return {
    id: 'amd-crl',
    role: 'endorsement',
    format: 'https://tinfoil.sh/collateral/amd-crl/v1',
    data: { crl_der_base64: list.toString('base64') },
  }
}
