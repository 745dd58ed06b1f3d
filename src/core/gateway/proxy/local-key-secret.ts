import { hash, randomBytes } from 'node:crypto'

/**
 * Creates a local key of 192 random bits. Nobody can find it by its hash, so a slow hash isn't needed. A slow
 * hash protects secrets that people choose, and would slow each request down.
 */
export function newLocalKey(): { secret: string; hash: string } {
  const secret = `sk-sotto-${randomBytes(24).toString('base64url')}`
  return { secret, hash: hashOfLocalKey(secret) }
}

/** Returns the stored hash by which a local key is found: SHA-256, hex. */
export function hashOfLocalKey(secret: string): string {
  return hash('sha256', secret, 'hex')
}
