import { hash } from 'node:crypto'
import { extendedKeyUsage, isSignedBy, publicKeyOf } from '../x509/index.ts'
import { areValidAt, isSoundChain } from './authority-chain.ts'
import type { TimestampToken } from './timestamp-token.ts'
import { within, type TrustedAuthority } from './trusted-root.ts'

/** RFC 3161 section 2.3: what an authority's key is for. */
const TIME_STAMPING = '1.3.6.1.5.5.7.3.8'

/** Whether a trusted authority, in force at the time that it states, stamped these bytes. */
export function isTimestampOf(
  bytes: Uint8Array,
  token: TimestampToken,
  authorities: readonly TrustedAuthority[],
): boolean {
  return (
    authorities.some((authority) => isStampedBy(authority, token)) &&
    Buffer.compare(hash(token.imprint.hash, bytes, 'buffer'), token.imprint.digest) === 0 &&
    Buffer.compare(hash(token.infoHash, token.info, 'buffer'), token.infoDigest) === 0
  )
}

function isStampedBy({ chain, inForce }: TrustedAuthority, token: TimestampToken): boolean {
  const [signer, ...issuers] = chain
  if (
    !signer ||
    Buffer.compare(signer.issuer.der, token.issuer) !== 0 ||
    Buffer.compare(signer.serialNumber, token.serialNumber) !== 0
  )
    return false
  const key = publicKeyOf(signer)
  return (
    key !== undefined &&
    within(inForce, token.time) &&
    areValidAt(chain, token.time) &&
    extendedKeyUsage(signer)?.includes(TIME_STAMPING) === true &&
    isSoundChain(signer, issuers) &&
    isSignedBy(token, key)
  )
}
