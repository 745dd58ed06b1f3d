import { hash } from 'node:crypto'

/**
 * Returns the fingerprint of an account's key for receipts, 16 hex digits. It distinguishes keys and reveals
 * nothing of the key, which has more than a hundred random bits. It isn't cached, because a module's memory
 * outlives locking.
 */
export function keyFingerprint(apiKey: string): string {
  return hash('sha256', `sotto receipt, key ${apiKey}`, 'hex').slice(0, 16)
}
