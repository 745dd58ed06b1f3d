import { TrustedRoot } from '@sigstore/protobuf-specs'
import { toTrustMaterial, type TrustMaterial } from '@sigstore/verify'
import { z } from 'zod'
import { parseStrictJson } from '../../../shared/strict-json.ts'
import { SigstoreRefusal } from './refusal.ts'

const MAX_TRUSTED_ROOT = 1 << 20

const trustedRootForm = z.object({
  mediaType: z.string().regex(/^application\/vnd\.dev\.sigstore\.trustedroot(\+json;version=0\.1|\.v0\.[12]\+json)$/),
  tlogs: z.array(z.unknown()).default([]),
  certificateAuthorities: z.array(z.unknown()).default([]),
  ctlogs: z.array(z.unknown()).default([]),
  timestampAuthorities: z.array(z.unknown()).default([]),
})

/** Parsing the roots costs more than a verification; one process has the built-in roots, and perhaps the sandbox's. */
const REMEMBERED = 2
const remembered = new Map<string, TrustMaterial>()

/**
 * The keys and certificates of a trusted_root.json.
 * Throws SigstoreRefusal `sigstore/trust-root-invalid`.
 */
export function trustMaterialOf(trustedRoot: string): TrustMaterial {
  const known = remembered.get(trustedRoot)
  if (known) return known
  const material = parseTrustedRoot(trustedRoot)
  const [oldest] = remembered.keys()
  if (remembered.size === REMEMBERED && oldest !== undefined) remembered.delete(oldest)
  remembered.set(trustedRoot, material)
  return material
}

function parseTrustedRoot(text: string): TrustMaterial {
  if (text.length > MAX_TRUSTED_ROOT) throw new SigstoreRefusal('sigstore/trust-root-invalid', 'a trusted root of over 1 MiB')
  try {
    return toTrustMaterial(TrustedRoot.fromJSON(trustedRootForm.parse(parseStrictJson(text))))
  } catch {
    throw new SigstoreRefusal('sigstore/trust-root-invalid', 'a trusted root that cannot be read')
  }
}
