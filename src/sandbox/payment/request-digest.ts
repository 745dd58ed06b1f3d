import { createHash } from 'node:crypto'

/** What a payment is bound to: method, path with its query, and body, byte for byte. SHA-256, hexadecimal. */
export function requestDigest(method: string, url: string, body: Uint8Array): string {
  const bodyDigest = createHash('sha256').update(body).digest('hex')
  return createHash('sha256').update(`${method} ${url} ${bodyDigest}`).digest('hex')
}
