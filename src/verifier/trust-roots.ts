import { hash } from 'node:crypto'
import { sevProducts } from './policy.ts'
import type { TrustSet } from './contract.ts'

/** A root by SHA-256 in lowercase hex. */
export interface TrustRoot {
  name: string
  sha256: string
}

/** Every root of a trust set, each by SHA-256 in lowercase hex: of the certificate's DER, or, for Sigstore, of its trusted_root.json as text. */
export function trustRoots({ amd, intelSgxRoot, awsNitroRoot, sigstoreTrustedRoot }: TrustSet): TrustRoot[] {
  const ofProducts = sevProducts.flatMap((product) => {
    const roots = amd[product]
    return roots ? [root(`AMD ARK, ${product}`, roots.ark), root(`AMD ASK, ${product}`, roots.ask)] : []
  })
  return [
    ...ofProducts,
    ...(intelSgxRoot ? [root('Intel SGX Root CA', intelSgxRoot)] : []),
    ...(awsNitroRoot ? [root('AWS Nitro root', awsNitroRoot)] : []),
    root('Sigstore trusted root', Buffer.from(sigstoreTrustedRoot)),
  ]
}

function root(name: string, bytes: Uint8Array): TrustRoot {
  return { name, sha256: hash('sha256', bytes, 'hex') }
}
