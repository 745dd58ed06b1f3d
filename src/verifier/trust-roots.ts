import { hash } from 'node:crypto'
import type { TrustRoot } from '../shared/proof.ts'
import { sevProductSchema } from '../shared/policy/sev-snp.ts'
import type { TrustSet } from '../shared/trust.ts'

/** Every root of a trust set, each by SHA-256 in lowercase hex: of the certificate's DER, or, for Sigstore, of its trusted_root.json as text. */
export function trustRoots({ amd, intelSgxRoot, awsNitroRoot, sigstoreTrustedRoot }: TrustSet): TrustRoot[] {
  const ofProducts = sevProductSchema.options.flatMap((product) => {
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
