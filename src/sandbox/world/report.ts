import { randomBytes, sign, type KeyObject } from 'node:crypto'
import type { Tcb } from './amd.ts'

/** AMD publication 56860, table 23: an attestation report, all integers little-endian. */
const reportBytes = 0x4a0
const signedBytes = 0x2a0

/** Bytes by offset that replace parts of the signed report. */
export type Patches = Readonly<Record<number, Uint8Array>>

export function applyPatches(bytes: Buffer, patches: Patches = {}): void {
  for (const [offset, patch] of Object.entries(patches)) bytes.set(patch, Number(offset))
}

interface ReportFields {
  readonly tcb: Tcb
  readonly debug: boolean
  /** 64 bytes. */
  readonly reportData: Uint8Array
  /** 48 bytes. */
  readonly measurement: Uint8Array
  /** 64 bytes. */
  readonly chipId: Uint8Array
  readonly patches?: Patches | undefined
}

const policyBits = { smtAllowed: 16, reservedOne: 17, debugAllowed: 19 } as const
/** SMT and TSME on, ECC memory, and the check against aliased memory (BadRAM) passed. */
const platformInfo = (1n << 0n) | (1n << 1n) | (1n << 2n) | (1n << 5n)
const firmware = { build: 40, minor: 55, major: 1 } as const

function guestPolicy(debug: boolean): bigint {
  const bits: readonly number[] = [
    policyBits.smtAllowed,
    policyBits.reservedOne,
    ...(debug ? [policyBits.debugAllowed] : []),
  ]
  return bits.reduce((policy, bit) => policy | (1n << BigInt(bit)), 0n)
}

function tcbBytes(tcb: Tcb): Buffer {
  return Buffer.of(tcb.bootloader, tcb.tee, 0, 0, 0, 0, tcb.snp, tcb.microcode)
}

/** A report of version 3, signed by the chip's key (ECDSA P-384, SHA-384). */
export function attestationReport(fields: ReportFields, vcekPrivateKey: KeyObject): Buffer {
  const report = Buffer.alloc(reportBytes)
  report.writeUInt32LE(3, 0x00)
  report.writeBigUInt64LE(guestPolicy(fields.debug), 0x08)
  report.writeUInt32LE(0, 0x30) // VMPL
  report.writeUInt32LE(1, 0x34) // ECDSA P-384 with SHA-384
  report.set(tcbBytes(fields.tcb), 0x38) // current
  report.writeBigUInt64LE(platformInfo, 0x40)
  report.writeUInt32LE(0, 0x48) // signed by the VCEK, chip key not masked, no author key
  report.set(fields.reportData, 0x50)
  report.set(fields.measurement, 0x90)
  report.set(randomBytes(32), 0x140) // report id
  report.fill(0xff, 0x160, 0x180) // no migration agent
  report.set(tcbBytes(fields.tcb), 0x180) // reported
  report.set([0x19, 0x11, 0x01], 0x188) // family, model, stepping of a Genoa
  report.set(fields.chipId, 0x1a0)
  report.set(tcbBytes(fields.tcb), 0x1e0) // committed
  report.set([firmware.build, firmware.minor, firmware.major], 0x1e8) // current
  report.set([firmware.build, firmware.minor, firmware.major], 0x1ec) // committed
  report.set(tcbBytes(fields.tcb), 0x1f0) // launch
  applyPatches(report, fields.patches)
  const signature = sign('sha384', report.subarray(0, signedBytes), {
    key: vcekPrivateKey,
    dsaEncoding: 'ieee-p1363',
  })
  report.set(Buffer.from(signature.subarray(0, 48)).reverse(), signedBytes)
  report.set(Buffer.from(signature.subarray(48)).reverse(), signedBytes + 72)
  return report
}
