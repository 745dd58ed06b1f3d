import { EhbpError } from './errors.ts'

/**
 * ComputeNonce (RFC 9180, 5.2; the same for responses): the base nonce XOR the sequence number in the last 8 bytes.
 * Throws ehbp/sequence-exhausted before a number could repeat.
 */
export function sequenceNonce(baseNonce: Uint8Array, sequence: number): Uint8Array {
  if (!Number.isSafeInteger(sequence) || sequence < 0)
    throw new EhbpError('ehbp/sequence-exhausted', 'No more frames may be sealed or opened under this key.')
  const nonce = Buffer.from(baseNonce)
  const low = nonce.byteLength - 4
  nonce.writeUInt32BE((nonce.readUInt32BE(low) ^ sequence) >>> 0, low)
  nonce.writeUInt32BE((nonce.readUInt32BE(low - 4) ^ Math.floor(sequence / 2 ** 32)) >>> 0, low - 4)
  return nonce
}
