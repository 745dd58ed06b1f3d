import { createHash } from 'node:crypto'

/** One member of a digest (RFC 9530: `sha-256=:<base64>:`), or the form of RFC 3230 without the colons. */
const MEMBER = /^([A-Za-z0-9-]{1,20})=(?::([\w+/-]{1,100}={0,2}):|([\w+/-]{1,100}={0,2}))$/
const algorithms = new Map([
  ['sha-256', 'sha256'],
  ['sha-512', 'sha512'],
])

/**
 * Whether a body has the requested digest by every known algorithm (SHA-256 and SHA-512), and by at least
 * one.
 */
export function hasDigest(body: Uint8Array, digest: string): boolean {
  if (digest.length > 1000) return false
  let known = 0
  for (const member of digest.split(',')) {
    const [, name = '', colons, plain] = MEMBER.exec(member.trim()) ?? []
    const algorithm = algorithms.get(name.toLowerCase())
    if (algorithm === undefined) continue
    known++
    if (
      !createHash(algorithm)
        .update(body)
        .digest()
        .equals(Buffer.from(colons ?? plain ?? '', 'base64'))
    )
      return false
  }
  return known > 0
}
