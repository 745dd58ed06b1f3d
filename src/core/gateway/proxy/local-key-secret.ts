import { hash, randomBytes } from 'node:crypto'

/**
 * 192 random bits: nobody finds them by their hash, however fast it is, so a slow one would only slow each request down.
 * Slow hashes are for what people choose.
 */
export function newLocalKey(): { secret: string; hash: string } {
  const secret = `sk-sotto-${randomBytes(24).toString('base64url')}`
  return { secret, hash: hashOfLocalKey(secret) }
}

/** What is kept of a local key, and what it is found by: SHA-256, hex. */
export function hashOfLocalKey(secret: string): string {
  return hash('sha256', secret, 'hex')
}
