import type { KeyObject } from 'node:crypto'
import { authorityKeyIdentifier, extension, type Signer } from './certificate.ts'
import { bitString, enumerated, explicit, integer, sequence, time } from './der.ts'

const keyCompromise = 1

interface RevocationListFields {
  readonly issuer: Buffer
  readonly issuerPublicKey: KeyObject
  /** Unix ms. */
  readonly thisUpdate: number
  readonly nextUpdate: number
  /** Serial numbers, big-endian. */
  readonly revoked: readonly Uint8Array[]
}

/** CertificateList of version 2 (RFC 5280 section 5.1), with number and issuer key, and a reason for each entry. */
export function revocationList(fields: RevocationListFields, signer: Signer): Buffer {
  const entries = fields.revoked.map((serial) =>
    sequence(
      integer(serial),
      time(fields.thisUpdate),
      sequence(extension('2.5.29.21', enumerated(keyCompromise))),
    ),
  )
  const tbs = sequence(
    integer(1),
    signer.algorithm,
    fields.issuer,
    time(fields.thisUpdate),
    time(fields.nextUpdate),
    // The list is left out where it would be empty.
    ...(entries.length > 0 ? [sequence(...entries)] : []),
    explicit(0, sequence(extension('2.5.29.20', integer(1)), authorityKeyIdentifier(fields.issuerPublicKey))),
  )
  return sequence(tbs, signer.algorithm, bitString(signer.sign(tbs)))
}
