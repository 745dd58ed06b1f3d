import { createPublicKey, randomBytes } from 'node:crypto'
import { pem } from '../der/certificate.ts'
import { hardwareRepository } from '../profile.ts'
import { reportData } from './enclave.ts'
import type { CollateralItem, EvidenceRequest, PlatformEvidence } from './evidence.ts'
import { pckCertificate, tcbSigningCertificate } from './intel/authorities.ts'
import { pcsResponses } from './intel/collateral.ts'
import { enclaveHardware, hardwareDigest, hardwareOf, hardwareRelease } from './intel/hardware.ts'
import { currentTeeTcb, oldTeeTcb } from './intel/machine.ts'
import { tdxQuote } from './intel/quote.ts'
import { provenance } from './provenance.ts'
import { register } from './release.ts'

const day = 24 * 3600_000
const noRegister = Buffer.alloc(48)

/** A TDX quote with the chain of its machine, what Intel says of that machine, and the hardware that a TD may start on. */
export function tdxEvidence(request: EvidenceRequest): PlatformEvidence {
  const { roots, keys, faults, release, now } = request
  const expired = faults.has('expired-certificate')
  const notBefore = now - (expired ? 400 : 30) * day
  const serial = serialNumber()
  const pck = pckCertificate(
    { serial, publicKey: createPublicKey(roots.pckKey), notBefore, notAfter: expired ? now - day : notBefore + 7 * 365 * day },
    roots, roots.intelPlatformKey,
  )
  const hardware = hardwareOf(faults.has('other-hardware') ? 'a machine that nobody lists' : enclaveHardware)
  const rtmr1 = faults.has('other-measurement') ? register(1, 'an image that no release names') : release.rtmr1
  const raw = tdxQuote({
    teeTcb: faults.has('old-tcb') ? oldTeeTcb : currentTeeTcb,
    debug: faults.has('debug-guest'),
    mrtd: hardware.mrtd,
    rtmr: [hardware.rtmr0, rtmr1, release.rtmr2, faults.has('rtmr3-not-zero') ? register(3, 'something loaded later') : noRegister],
    reportData: reportData(keys),
  }, {
    pckPrivateKey: roots.pckKey,
    pckChain: [pck, roots.intelPlatformCa, roots.intelRoot].map((der) => pem('CERTIFICATE', der)).join(''),
    instanceId: roots.instanceId,
  })
  return {
    format: 'https://tinfoil.sh/predicate/tdx-guest/v2',
    raw,
    collateral: [...(faults.has('missing-collateral') ? [] : [intelCollateral(request, serial)]), hardwareList(request)],
  }
}

function intelCollateral({ roots, faults, now }: EvidenceRequest, pckSerial: Uint8Array): CollateralItem {
  const responses = pcsResponses({
    root: roots.intelRoot,
    rootPrivateKey: roots.intelRootKey,
    platformCa: roots.intelPlatformCa,
    platformPrivateKey: roots.intelPlatformKey,
    tcbSigning: tcbSigningCertificate(
      { serial: serialNumber(), publicKey: createPublicKey(roots.tcbSigningKey), notBefore: now - 200 * day, notAfter: now + 2000 * day }, roots.intelRootKey,
    ),
    tcbSigningPrivateKey: roots.tcbSigningKey,
    revoked: faults.has('revoked-certificate') ? [pckSerial] : [],
    machineOutOfDate: faults.has('tcb-out-of-date'),
    staleTcbInfo: faults.has('expired-collateral'),
    now,
  })
  return { id: 'intel-pcs', role: 'endorsement', format: 'https://tinfoil.sh/collateral/intel-pcs/v1', data: { responses } }
}

function hardwareList({ faults, fulcio, rekor }: EvidenceRequest): CollateralItem {
  const release = hardwareRelease(faults.has('forged-hardware-list') ? 'somebody-else/hardware-measurements' : hardwareRepository)
  return {
    id: 'sigstore-platform',
    role: 'reference-values',
    format: 'https://tinfoil.sh/collateral/sigstore-platform/v1',
    data: { repo: hardwareRepository, tag: release.tag, digest: hardwareDigest, sigstore_bundle: provenance(release, fulcio, rekor) },
  }
}

/** 20 bytes, positive. */
function serialNumber(): Buffer {
  const serial = randomBytes(20)
  serial.writeUInt8(serial.readUInt8(0) & 0x7f | 0x40, 0)
  return serial
}
