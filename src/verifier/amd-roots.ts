import { sevProducts, type SevProduct } from './policy.ts'
import type { TrustSet } from './contract.ts'
import { intermediateName, rootName } from './sev-snp/index.ts'
import { CertificateError, certificatesFromPem, commonName, parseCertificate } from './x509/index.ts'

/**
 * Reads AMD's published `ask_ark` texts, one per product, as roots in DER. The names of the certificates show
 * which is which. Every verdict verifies them. Throws CertificateError if a text isn't such a pair.
 *
 * @param lists DER of the revocation lists that ship with them. Every verdict verifies them too
 */
export function amdRootsFromPem(
  texts: Partial<Record<SevProduct, string>>,
  lists: Partial<Record<SevProduct, Uint8Array>> = {},
): TrustSet['amd'] {
  const roots: TrustSet['amd'] = {}
  for (const product of sevProducts) {
    const text = texts[product]
    const crl = lists[product]
    if (text !== undefined) roots[product] = { ...rootsOf(product, text), ...(crl && { crl }) }
  }
  return roots
}

function rootsOf(product: SevProduct, text: string): { ark: Uint8Array; ask: Uint8Array } {
  const named = new Map(
    certificatesFromPem(text).map((der) => [commonName(parseCertificate(der).subject), der]),
  )
  const ark = named.get(rootName(product))
  const ask = named.get(intermediateName(product))
  if (!ark || !ask || named.size !== 2) throw new CertificateError('name')
  return { ark, ask }
}
