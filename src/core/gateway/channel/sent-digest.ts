import { createHash, hash } from 'node:crypto'

/** Some hundred µs of work. */
const SLICE_BYTES = 512 * 1024

/**
 * SHA-256 (hex) of a body that is on its way. A large one is hashed slice by slice, between which the connection is written
 * to: in one piece it would hold up what it is the digest of.
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
