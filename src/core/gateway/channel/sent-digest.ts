import { createHash, hash } from 'node:crypto'

/** Hashing this much takes some hundred µs. */
const SLICE_BYTES = 512 * 1024

/**
 * SHA-256 (hex) of a body that is being sent. A large body is hashed in slices, so that the connection is
 * written to between them. Hashing it at once would delay sending.
 */
export function sentDigest(body: Uint8Array): string | Promise<string> {
  return body.byteLength <= SLICE_BYTES ? hash('sha256', body, 'hex') : inSlices(body)
}

async function inSlices(body: Uint8Array): Promise<string> {
  const digest = createHash('sha256')
  for (let at = 0; at < body.byteLength; at += SLICE_BYTES) {
    await new Promise((resume) => setImmediate(resume))
    digest.update(body.subarray(at, at + SLICE_BYTES))
  }
  return digest.digest('hex')
}
