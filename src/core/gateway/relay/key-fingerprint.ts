import { hash } from 'node:crypto'

/**
 * What a receipt says of the account's key that its request was sent with: enough to tell keys apart, and nothing of the
 * key, which is of more than a hundred random bits. 16 hex digits. Nothing is cached here: a module outlives the lock.
 */
export function keyFingerprint(apiKey: string): string {
  return hash('sha256', `sotto receipt, key ${apiKey}`, 'hex').slice(0, 16)
}
