import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex } from '@noble/hashes/utils.js'

/** Limits for the search in one answer. */
const MAX_VALUES = 500
const MAX_DEPTH = 6
const HEX = /^(?:0x)?([0-9a-f]{64})$/i
/** 32 bytes in base64 or base64url, with or without padding. */
const BASE64 = /^[\w+/-]{43}=?$/

/**
 * Searches a wallet's answer for a preimage that proves a payment. A value whose SHA-256 is the payment hash
 * can only be the preimage, so its name and the other members don't matter, such as a state or an error.
 * @param answer the decrypted answer; the wallet controls it
 * @param paymentHash 64 lowercase hex digits
 * @returns the preimage as 64 lowercase hex digits
 */
export function proofIn(answer: unknown, paymentHash: string): string | undefined {
  let left = MAX_VALUES
  function search(value: unknown, depth: number): string | undefined {
    if (left-- <= 0 || depth > MAX_DEPTH) return undefined
    if (typeof value === 'string') return preimageOf(value, paymentHash)
    if (typeof value !== 'object' || value === null) return undefined
    for (const member of Object.values(value)) {
      const found = search(member, depth + 1)
      if (found !== undefined) return found
    }
    return undefined
  }
  return search(answer, 0)
}

function preimageOf(text: string, paymentHash: string): string | undefined {
  const trimmed = text.trim()
  const hex = HEX.exec(trimmed)?.[1]
  const bytes =
    hex !== undefined
      ? Buffer.from(hex, 'hex')
      : BASE64.test(trimmed)
        ? Buffer.from(trimmed, 'base64url')
        : undefined
  return bytes?.length === 32 && bytesToHex(sha256(bytes)) === paymentHash ? bytesToHex(bytes) : undefined
}
