import { msg } from '../message.ts'
import { isZero } from '../is-zero.ts'
import { EvidenceError, type Text } from '../text.ts'

/**
 * ATTESTATION_REPORT of the SEV-SNP firmware ABI (AMD 56860, table "ATTESTATION_REPORT Structure"), little-endian.
 * Offsets are those of the table.
 */
export const REPORT_BYTES = 0x4a0
/** The number of signed bytes: the signature covers everything before it. */
export const SIGNED_BYTES = 0x2a0

const OLDEST_VERSION = 2
const NEWEST_VERSION = 5
/** From here on the report states the processor's family, model and stepping. */
const VERSION_WITH_CPUID = 3
/** From here on it states the mitigation vectors. */
const VERSION_WITH_MITIGATIONS = 5

/** ECDSA P-384 with SHA-384, the only algorithm that the ABI names. */
const ECDSA_P384_SHA384 = 1

export interface FirmwareVersion {
  readonly major: number
  readonly minor: number
  readonly build: number
}

/** Family, model and stepping as CPUID gives them, extended parts added in. */
export interface CpuId {
  readonly family: number
  readonly model: number
  readonly stepping: number
}

/** A report as its bytes say; nothing of it is authenticated. TCBs are raw: their layout depends on the product. */
export interface SevReport {
  readonly bytes: Uint8Array
  readonly version: number
  readonly guestSvn: number
  /** The 64 bits of the guest policy, the flags of the platform and those of the signer. */
  readonly guestPolicy: bigint
  readonly platformInfo: bigint
  readonly signerInfo: number
  readonly familyId: Uint8Array
  readonly imageId: Uint8Array
  readonly vmpl: number
  readonly signatureAlgorithm: number
  readonly reportData: Uint8Array
  readonly measurement: Uint8Array
  readonly hostData: Uint8Array
  readonly idKeyDigest: Uint8Array
  readonly authorKeyDigest: Uint8Array
  readonly reportId: Uint8Array
  readonly reportIdMa: Uint8Array
  readonly chipId: Uint8Array
  readonly currentTcb: Uint8Array
  readonly reportedTcb: Uint8Array
  readonly committedTcb: Uint8Array
  readonly launchTcb: Uint8Array
  readonly current: FirmwareVersion
  readonly committed: FirmwareVersion
  /** Absent before version 3. */
  readonly cpuId?: CpuId
  /**
   * Each bit a weakness that the firmware has verified to be mitigated, when the guest was launched and now.
   * Absent before version 5.
   */
  readonly mitigations?: { readonly launch: bigint; readonly current: bigint }
}

export type ReportFault = 'length' | 'version' | 'signature-algorithm' | 'reserved-bytes'

/** No report that is read here. `observed` is what was seen instead, as the step of the verdict tells it. */
export class ReportError extends EvidenceError {
  override name = 'ReportError'
  readonly fault: ReportFault
  constructor(fault: ReportFault, observed: Text) {
    super(observed)
    this.fault = fault
  }
}

/** Parses a report of exactly 1184 bytes, version 2 to 5, whose reserved bytes are zero. Throws ReportError. */
export function parseReport(bytes: Uint8Array): SevReport {
  if (bytes.length !== REPORT_BYTES)
    throw new ReportError('length', msg('{count} bytes', { count: bytes.length }))
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const version = view.getUint32(0x00, true)
  if (version < OLDEST_VERSION || version > NEWEST_VERSION)
    throw new ReportError('version', msg('version {version}', { version }))
  const signatureAlgorithm = view.getUint32(0x34, true)
  if (signatureAlgorithm !== ECDSA_P384_SHA384)
    throw new ReportError(
      'signature-algorithm',
      msg('algorithm {algorithm}', { algorithm: signatureAlgorithm }),
    )
  for (const [start, end] of reservedBytes(version)) {
    if (!isZero(bytes.subarray(start, end)))
      throw new ReportError(
        'reserved-bytes',
        msg('bytes set between {start} and {end}', { start: hexOffset(start), end: hexOffset(end) }),
      )
  }
  const field = (start: number, length: number) => bytes.subarray(start, start + length)
  return {
    bytes,
    version,
    guestSvn: view.getUint32(0x04, true),
    guestPolicy: view.getBigUint64(0x08, true),
    familyId: field(0x10, 16),
    imageId: field(0x20, 16),
    vmpl: view.getUint32(0x30, true),
    signatureAlgorithm,
    currentTcb: field(0x38, 8),
    platformInfo: view.getBigUint64(0x40, true),
    signerInfo: view.getUint32(0x48, true),
    reportData: field(0x50, 64),
    measurement: field(0x90, 48),
    hostData: field(0xc0, 32),
    idKeyDigest: field(0xe0, 48),
    authorKeyDigest: field(0x110, 48),
    reportId: field(0x140, 32),
    reportIdMa: field(0x160, 32),
    reportedTcb: field(0x180, 8),
    ...(version >= VERSION_WITH_CPUID && {
      cpuId: { family: view.getUint8(0x188), model: view.getUint8(0x189), stepping: view.getUint8(0x18a) },
    }),
    chipId: field(0x1a0, 64),
    committedTcb: field(0x1e0, 8),
    current: firmwareVersion(view, 0x1e8),
    committed: firmwareVersion(view, 0x1ec),
    launchTcb: field(0x1f0, 8),
    ...(version >= VERSION_WITH_MITIGATIONS && {
      mitigations: { launch: view.getBigUint64(0x1f8, true), current: view.getBigUint64(0x200, true) },
    }),
  }
}

function firmwareVersion(view: DataView, offset: number): FirmwareVersion {
  return { build: view.getUint8(offset), minor: view.getUint8(offset + 1), major: view.getUint8(offset + 2) }
}

function reservedBytes(version: number): [start: number, end: number][] {
  return [
    [0x4c, 0x50],
    [version >= VERSION_WITH_CPUID ? 0x18b : 0x188, 0x1a0],
    [0x1eb, 0x1ec],
    [0x1ef, 0x1f0],
    [version >= VERSION_WITH_MITIGATIONS ? 0x208 : 0x1f8, SIGNED_BYTES],
  ]
}

function hexOffset(offset: number): string {
  return `0x${offset.toString(16)}`
}
