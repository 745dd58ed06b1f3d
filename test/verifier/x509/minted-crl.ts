import type { Signer } from '../../../src/sandbox/der/certificate.ts'
import { bitString, explicit, integer, sequence, time } from '../../../src/sandbox/der/der.ts'

export interface CrlFields {
  readonly issuer: Buffer
  /** Unix ms. */
  readonly thisUpdate: number
  readonly nextUpdate: number
  readonly entries: readonly Buffer[]
  readonly extensions: readonly Buffer[]
}

/** @param extensions of the entry */
export function revokedEntry(
  serial: number | Uint8Array,
  revokedAt: number,
  ...extensions: readonly Buffer[]
): Buffer {
  return sequence(
    integer(serial),
    time(revokedAt),
    ...(extensions.length > 0 ? [sequence(...extensions)] : []),
  )
}

/** The fields of TBSCertList (RFC 5280 section 5.1), one by one. */
export function tbsFields(fields: CrlFields, signer: Signer): Buffer[] {
  return [
    integer(1),
    signer.algorithm,
    fields.issuer,
    time(fields.thisUpdate),
    time(fields.nextUpdate),
    ...(fields.entries.length > 0 ? [sequence(...fields.entries)] : []),
    ...(fields.extensions.length > 0 ? [explicit(0, sequence(...fields.extensions))] : []),
  ]
}

export function mintedCrl(fields: CrlFields, signer: Signer): Buffer {
  const tbs = sequence(...tbsFields(fields, signer))
  return sequence(tbs, signer.algorithm, bitString(signer.sign(tbs)))
}
