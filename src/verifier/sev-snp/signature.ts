import { verify, type KeyObject } from 'node:crypto'
import { isZero } from '../is-zero.ts'
import { SIGNED_BYTES } from './report.ts'

/** AMD 56860, "Signature": r and s of 72 bytes each, little-endian, then reserved bytes. P-384 fills 48 of the 72. */
const COMPONENT_BYTES = 72
const SCALAR_BYTES = 48

/** Whether the chip's key signed the report, in a signature with no byte that a verifier would not look at. @param report 1184 bytes */
export function isReportSignedBy(report: Uint8Array, key: KeyObject): boolean {
  const signature = new Uint8Array(2 * SCALAR_BYTES)
  for (const index of [0, 1]) {
    const start = SIGNED_BYTES + index * COMPONENT_BYTES
    const component = report.subarray(start, start + COMPONENT_BYTES)
    if (!isZero(component.subarray(SCALAR_BYTES))) return false
    signature.set(component.subarray(0, SCALAR_BYTES).toReversed(), index * SCALAR_BYTES)
  }
  if (!isZero(report.subarray(SIGNED_BYTES + 2 * COMPONENT_BYTES))) return false
  try {
    return verify('sha384', report.subarray(0, SIGNED_BYTES), { key, dsaEncoding: 'ieee-p1363' }, signature)
  } catch {
    return false
  }
}
