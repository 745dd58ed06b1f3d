import { createHash } from 'node:crypto'

/** One member of a digest (RFC 9530: `sha-256=:<base64>:`); without the colons as RFC 3230 had it. */
const MEMBER = /^([A-Za-z0-9-]{1,20})=(?::([\w+/-]{1,100}={0,2}):|([\w+/-]{1,100}={0,2}))$/
const algorithms = new Map([
  ['sha-256', 'sha256'],
  ['sha-512', 'sha512'],
])

/** Whether a body has the digest that was asked for: by every algorithm that is known (SHA-256 and SHA-512), and by one at least. */
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
