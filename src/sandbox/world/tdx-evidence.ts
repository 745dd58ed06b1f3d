import { createPublicKey, randomBytes } from 'node:crypto'
import { pem } from '../der/certificate.ts'
import { hardwareRepository, day } from '../profile.ts'
import { reportData } from './enclave.ts'
import type { CollateralItem, EvidenceRequest, MachineRequest, PlatformEvidence } from './evidence.ts'
import { pckCertificate, tcbSigningCertificate, type LeafFields } from './intel/authorities.ts'
import { pcsResponses, type CollateralFields } from './intel/collateral.ts'
import {
  enclaveHardware,
  hardwareDigest,
  hardwareOf,
  hardwareRelease,
  currentTeeTcb,
  oldTeeTcb,
  type Machine,
} from './intel/machine.ts'
import { tdxQuote } from './intel/quote.ts'
import { provenance } from './provenance.ts'
import { register } from './release.ts'
import type { Patches } from './report.ts'

const noRegister = Buffer.alloc(48)

/** A test's changes to a machine, before it's signed. */
export interface TdxChanges {
  /** Over header and body of the quote; the body begins at 48. */
  readonly patches?: Patches
  /** Ids and dates in the PCK certificate. */
  readonly pck?: Partial<Machine & LeafFields>
  readonly collateral?: Partial<CollateralFields>
}

interface TdxMachine {
  readonly quote: Buffer
  readonly collateral: CollateralItem
}

/**
 * Generates a TDX quote with the chain of its machine, Intel's statements about that machine, and the
 * hardware that a TD may run on.
 */
export function tdxEvidence(request: EvidenceRequest): PlatformEvidence {
  const { quote, collateral } = tdxMachine(request, reportData(request.keys))
  return {
    format: 'https://tinfoil.sh/predicate/tdx-guest/v2',
    raw: quote,
    collateral: [...(request.faults.has('missing-collateral') ? [] : [collateral]), hardwareList(request)],
  }
}

/** The machine's quote over these 64 bytes, and Intel's endorsements of it. */
export function tdxMachine(
  request: MachineRequest,
  boundData: Uint8Array,
  changes: TdxChanges = {},
): TdxMachine {
  const { roots, faults, release, now } = request
  const expired = faults.has('expired-certificate')
  const notBefore = now - (expired ? 400 : 30) * day
  const serial = serialNumber()
  const pck = pckCertificate(
    {
      serial,
      publicKey: createPublicKey(roots.pckKey),
      notBefore,
      notAfter: expired ? now - day : notBefore + 7 * 365 * day,
      ...changes.pck,
    },
    { ppid: roots.ppid, instanceId: roots.instanceId, ...changes.pck },
    roots.intelPlatformKey,
  )
  const hardware = hardwareOf(faults.has('other-hardware') ? 'a machine that nobody lists' : enclaveHardware)
  const rtmr1 = faults.has('other-measurement')
    ? register(1, 'an image that no release names')
    : release.rtmr1
  const quote = tdxQuote(
    {
      teeTcb: faults.has('old-tcb') ? oldTeeTcb : currentTeeTcb,
      debug: faults.has('debug-guest'),
      mrtd: hardware.mrtd,
      rtmr: [
        hardware.rtmr0,
        rtmr1,
        release.rtmr2,
        faults.has('rtmr3-not-zero') ? register(3, 'something loaded later') : noRegister,
      ],
      reportData: boundData,
      patches: changes.patches,
    },
    {
      pckPrivateKey: roots.pckKey,
      pckChain: [pck, roots.intelPlatformCa, roots.intelRoot].map((der) => pem(der)).join(''),
      instanceId: roots.instanceId,
    },
  )
  return { quote, collateral: intelCollateral(request, changes.pck?.serial ?? serial, changes.collateral) }
}

function intelCollateral(
  { roots, faults, now }: MachineRequest,
  pckSerial: Uint8Array,
  changes?: Partial<CollateralFields>,
): CollateralItem {
  const responses = pcsResponses({
    root: roots.intelRoot,
    rootPrivateKey: roots.intelRootKey,
    platformCa: roots.intelPlatformCa,
    platformPrivateKey: roots.intelPlatformKey,
    tcbSigning: tcbSigningCertificate(
      {
        serial: serialNumber(),
        publicKey: createPublicKey(roots.tcbSigningKey),
        notBefore: now - 200 * day,
        notAfter: now + 2000 * day,
      },
      roots.intelRootKey,
    ),
    tcbSigningPrivateKey: roots.tcbSigningKey,
    revoked: faults.has('revoked-certificate') ? [pckSerial] : [],
    machineOutOfDate: faults.has('tcb-out-of-date'),
    staleTcbInfo: faults.has('expired-collateral'),
    now,
    ...changes,
  })
  return {
    id: 'intel-pcs',
    role: 'endorsement',
    format: 'https://tinfoil.sh/collateral/intel-pcs/v1',
    data: { responses },
  }
}

function hardwareList({ faults, fulcio, rekor }: EvidenceRequest): CollateralItem {
  const release = hardwareRelease(
    faults.has('forged-hardware-list') ? 'somebody-else/hardware-measurements' : hardwareRepository,
  )
  return {
    id: 'sigstore-platform',
    role: 'reference-values',
    format: 'https://tinfoil.sh/collateral/sigstore-platform/v1',
    data: {
      repo: hardwareRepository,
      tag: release.tag,
      digest: hardwareDigest,
      sigstore_bundle: provenance(release, fulcio, rekor),
    },
  }
}

/** 20 bytes, positive. */
function serialNumber(): Buffer {
  const serial = randomBytes(20)
  serial.writeUInt8((serial.readUInt8(0) & 0x7f) | 0x40, 0)
  return serial
}
