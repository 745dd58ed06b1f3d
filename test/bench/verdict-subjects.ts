import { createPublicKey } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Platform } from '../../src/shared/policy/attestation-policy.ts'
import type { TrustSet } from '../../src/shared/trust.ts'

/** Verifies the evidence once more. Returns whether the verdict is good. */
export type Verify = () => boolean

export interface Subject {
  readonly verify: Verify
  /** The platform whose known answers the product runs before the first verdict in a process. */
  readonly platform: Platform
  /** The trust roots of the verification. */
  readonly trust: TrustSet
  /**
   * Sigstore's own library over the same bundles. Its roots are read in advance, as for every verdict after
   * the first.
   */
  readonly library?: () => Promise<Verify>
}

const root = join(import.meta.dirname, '../..')
/** Its release is the newest genuine one, so the preset's minimum log time accepts it. */
const AUGUST = '2026-08/ppq-bundle-2026-08/attestation-bundle.json'
const evidence = (path: string) => join(root, '../shared/evidence', path)

/** Why a subject can't be measured here, or undefined. */
export function whyNot(name: SubjectName): string | undefined {
  return name.startsWith('real') && !existsSync(evidence(AUGUST)) ? '../shared is absent' : undefined
}

/**
 * The subjects of the benchmark. No module of the product loads before a subject is requested. No complete
 * bundle of a real TDX or Nitro enclave is available. The benchmark therefore uses the real quote or document
 * without a bundle, and a complete verdict over the sandbox's bundle.
 */
export const subjects = {
  'real-sev': realSev,
  'real-tdx': realTdx,
  'real-nitro': realNitro,
  'sandbox-tdx': () => sandbox('tdx'),
  'sandbox-nitro': () => sandbox('nitro'),
  'sandbox-v3-sev': () => fresh('sev-snp'),
  'sandbox-v3-tdx': () => fresh('tdx'),
} satisfies Record<string, () => Promise<Subject>>
export type SubjectName = keyof typeof subjects

async function realSev(): Promise<Subject> {
  const { verifyEvidence } = await import('../../src/verifier/index.ts')
  const { builtInTrust, presetProfiles } = await import('../../src/host/resources.ts')
  const [trust, profiles] = await Promise.all([builtInTrust(), presetProfiles()])
  const policy = profiles.find(({ policy }) => policy?.enclaveHost === 'inference.tinfoil.sh')?.policy
  if (policy === undefined) throw new Error('no preset has a policy for this evidence')
  const bundle = readFileSync(evidence(AUGUST))
  return {
    platform: 'sevSnp',
    trust,
    verify: () => verifyEvidence(bundle, trust, policy, Date.UTC(2026, 7, 15, 12)).good,
    library: () => byLibrary(trust.sigstoreTrustedRoot, bundle),
  }
}

async function realTdx(): Promise<Subject> {
  const { tdxSteps } = await import('../../src/verifier/tdx/index.ts')
  const { upToDate } = await import('../verifier/tdx/real-tdx.ts')
  const { builtInTrust } = await import('../../src/host/resources.ts')
  const { input } = upToDate()
  return { platform: 'tdx', trust: await builtInTrust(), verify: () => tdxSteps.verify(input).good }
}

async function realNitro(): Promise<Subject> {
  const { verifyNitroDocument } = await import('../verifier/nitro/verify-document.ts')
  const { builtInTrust } = await import('../../src/host/resources.ts')
  const trust = await builtInTrust()
  const { awsNitroRoot: trusted } = trust
  if (!trusted) throw new Error('the built-in trust set has no root of AWS')
  const document = readFileSync(evidence('nitro/valid-attestation-doc.bin'))
  const images = [
    {
      pcr0: 'f4d48b81a460c9916d1e685119074bf24660afd3e34fae9fca0a0d28d9d5599936332687e6f66fc890ac8cf150142d8b',
    },
  ]
  return {
    platform: 'nitro',
    trust,
    verify: () =>
      verifyNitroDocument({
        document,
        root: trusted,
        policy: { images },
        now: Date.UTC(2022, 9, 13, 8, 58, 3),
      }).good,
  }
}

async function sandbox(platform: 'tdx' | 'nitro'): Promise<Subject> {
  const { sandboxProfile } = await import('../../src/sandbox/profile.ts')
  const { bootEnclave } = await import('../../src/sandbox/world/enclave.ts')
  const { mintEvidence } = await import('../../src/sandbox/world/evidence.ts')
  const { Rekor } = await import('../../src/sandbox/world/rekor.ts')
  const { loadRoots } = await import('../../src/sandbox/world/roots.ts')
  const folder = await mkdtemp(join(tmpdir(), 'sotto-bench-'))
  const roots = await loadRoots(folder, () => true)
  await rm(folder, { recursive: true })
  const now = Date.UTC(2026, 8, 1)
  const nonce = Buffer.alloc(32, 7)
  const rekor = new Rekor(createPublicKey(roots.rekorKey), roots.rekorKey)
  const minted = Buffer.from(
    JSON.stringify(
      await mintEvidence({ platform, roots, rekor, keys: bootEnclave(), faults: new Set(), nonce, now }),
    ),
  )
  const { policy } = sandboxProfile('http://127.0.0.1:1')
  if (!policy) throw new Error('the sandbox has no policy')
  const { verifyEvidence } = await import('../../src/verifier/index.ts')
  return {
    platform,
    trust: roots.trust,
    verify: () => verifyEvidence(minted, roots.trust, policy, now, nonce).good,
    ...(platform === 'tdx' && { library: () => byLibrary(roots.trust.sigstoreTrustedRoot, minted) }),
  }
}

/** A document of version 3 with every required member. */
async function fresh(platform: 'sev-snp' | 'tdx'): Promise<Subject> {
  const { createEnclave } = await import('../verifier/v3/verified-documents.ts')
  const { world, mint, verify } = await createEnclave(platform)
  const document = mint()
  const { trust } = world.roots
  return {
    platform: platform === 'tdx' ? 'tdx' : 'sevSnp',
    trust,
    verify: () => 'facts' in verify(document),
    library: () => byLibrary(trust.sigstoreTrustedRoot, document),
  }
}

/** Checks all Sigstore bundles in the evidence: the release's bundle and those of collateral. */
async function byLibrary(trustedRoot: string, evidence: Buffer): Promise<Verify> {
  const [{ bundleFromJSON }, { TrustedRoot }, { toSignedEntity, toTrustMaterial, Verifier }] =
    await Promise.all([
      import('@sigstore/bundle'),
      import('@sigstore/protobuf-specs'),
      import('@sigstore/verify'),
    ])
  const bundles = bundlesIn(JSON.parse(evidence.toString()))
  const material = toTrustMaterial(TrustedRoot.fromJSON(JSON.parse(trustedRoot)))
  const verifier = new Verifier(material, { ctlogThreshold: 1, tlogThreshold: 1, timestampThreshold: 1 })
  return () =>
    bundles.every((bundle) => verifier.verify(toSignedEntity(bundleFromJSON(bundle))).identity !== undefined)
}

function bundlesIn(value: unknown): unknown[] {
  if (typeof value !== 'object' || value === null) return []
  return 'dsseEnvelope' in value ? [value] : Object.values(value).flatMap(bundlesIn)
}
