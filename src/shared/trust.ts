import type { SevProduct } from './policy/sev-snp.ts'

/**
 * The roots that a verdict is judged by. There are two sets and never a union: the built-in one, and the in-process
 * sandbox's own, which is honoured only together with the loopback address that this host opened.
 */
export interface TrustSet {
  readonly name: 'built-in' | 'sandbox'
  /** DER of AMD's root and intermediate of each product, and of the revocation list that ships with them, if one does. */
  readonly amd: Partial<
    Record<SevProduct, { readonly ark: Uint8Array; readonly ask: Uint8Array; readonly crl?: Uint8Array }>
  >
  /** Sigstore's trusted_root.json, as text. */
  readonly sigstoreTrustedRoot: string
  /** Unix ms: since when that root has been published. Left out where it is minted and does not age. */
  readonly sigstoreTrustedRootPublished?: number
  /** DER of Intel's SGX root and of AWS's Nitro root. A platform without a root is not accepted. */
  readonly intelSgxRoot?: Uint8Array
  readonly awsNitroRoot?: Uint8Array
}
