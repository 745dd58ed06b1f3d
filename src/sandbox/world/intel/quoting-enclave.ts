import { createHash } from 'node:crypto'

/** The identity of Intel's TD quoting enclave: in its report, and in the identity that Intel signs. */
export const qeMrSigner = Buffer.from(
  'dc9e2a7c6f948f17474e34a7fc43ed030f7c1563f1babddf6340c82e0e54a8c5',
  'hex',
)
export const qeProductId = 2
const qeSvn = 6

const reportBytes = 384
const cpuSvn = Buffer.from('0303191b04ff00060000000000000000', 'hex')
/** Initialized, 64-bit mode, may use the provisioning key; x87, SSE, AVX and AVX-512 state. */
const attributes = Buffer.from('1500000000000000e700000000000000', 'hex')

/** Intel SDM, table "REPORT": an SGX report of the quoting enclave. @param boundKey 32 bytes: the hash of the attestation key that it vouches for */
export function quotingEnclave(boundKey: Uint8Array): Buffer {
  const report = Buffer.alloc(reportBytes)
  report.set(cpuSvn, 0)
  report.set(attributes, 48)
  report.set(createHash('sha256').update('sotto-sandbox td quoting enclave').digest(), 64)
  report.set(qeMrSigner, 128)
  report.writeUInt16LE(qeProductId, 256)
  report.writeUInt16LE(qeSvn, 258)
  report.set(boundKey, 320)
  return report
}

/** Values that the sandbox's trust domains share with the policy that verifies them. */

/** TD_ATTRIBUTES: only SEPT_VE_DISABLE. */
export const tdAttributes = Buffer.from('0000001000000000', 'hex')
export const xfam = Buffer.from('e702060000000000', 'hex')

/** Stands for Intel's measurement of its TDX module. */
export const mrSeam = createHash('sha384').update('sotto-sandbox tdx module').digest()

/** Counts Intel's evaluations of its platforms; information from before the newest one is still signed and dated. */
export const evaluationNumber = 19
