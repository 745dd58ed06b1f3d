import { createPublicKey } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Evidence to be judged, over and over: what comes back is whether it was good. */
export type Judge = () => boolean

const root = join(import.meta.dirname, '../..')
const evidence = (path: string) => join(root, '../shared/evidence', path)

/** Why a subject cannot be measured here, or undefined. */
export function whyNot(name: SubjectName): string | undefined {
  return name.startsWith('real') && !existsSync(evidence('bundle/genoa-router-bundle.json')) ? '../shared is absent' : undefined
}

/**
 * What is measured. Nothing of the product is loaded before a subject is asked for: whoever measures a start changes libraries first.
 * No whole bundle of a real TDX or Nitro enclave is to be had, so there is the real quote or document by itself, and a whole verdict
 * over the sandbox's.
 */
export const subjects = {
  'real-sev': realSev,
  'real-tdx': realTdx,
  'real-nitro': realNitro,
  'sandbox-tdx': () => sandbox('tdx'),
  'sandbox-nitro': () => sandbox('nitro'),
} satisfies Record<string, () => Promise<Judge>>
export type SubjectName = keyof typeof subjects

async function realSev(): Promise<Judge> {
  const { verifyEvidence } = await import('../../src/core/attestation/index.ts')
  const { builtInTrust, presetProfiles } = await import('../../src/host/resources.ts')
  const [trust, profiles] = await Promise.all([builtInTrust(), presetProfiles()])
  const policy = profiles.find(({ policy }) => policy?.enclaveHost === 'inference.tinfoil.sh')?.policy
  if (policy === undefined) throw new Error('no preset has a policy for this evidence')
  const bundle = readFileSync(evidence('bundle/genoa-router-bundle.json'))
  return () => verifyEvidence(bundle, trust, policy, Date.UTC(2026, 1, 1)).good
}

async function realTdx(): Promise<Judge> {
  const { verifyTdx } = await import('../../src/core/attestation/tdx/index.ts')
  const { upToDate } = await import('../core/attestation/tdx/real-tdx.ts')
  const { input } = upToDate()
  return () => verifyTdx(input).good
}

async function realNitro(): Promise<Judge> {
  const { verifyNitro } = await import('../../src/core/attestation/nitro/index.ts')
  const { builtInTrust } = await import('../../src/host/resources.ts')
  const { awsNitroRoot: trusted } = await builtInTrust()
  if (!trusted) throw new Error('the built-in trust set has no root of AWS')
  const document = readFileSync(evidence('nitro/valid-attestation-doc.bin'))
  const images = [{ pcr0: 'f4d48b81a460c9916d1e685119074bf24660afd3e34fae9fca0a0d28d9d5599936332687e6f66fc890ac8cf150142d8b' }]
  return () => verifyNitro({ document, root: trusted, policy: { images }, now: Date.UTC(2022, 9, 13, 8, 58, 3) }).good
}

async function sandbox(platform: 'tdx' | 'nitro'): Promise<Judge> {
  const { sandboxProfile } = await import('../../src/sandbox/profile.ts')
  const { bootEnclave } = await import('../../src/sandbox/world/enclave.ts')
  const { mintEvidence } = await import('../../src/sandbox/world/evidence.ts')
  const { Rekor } = await import('../../src/sandbox/world/rekor.ts')
  const { openRoots } = await import('../../src/sandbox/world/roots.ts')
  const folder = await mkdtemp(join(tmpdir(), 'sotto-bench-'))
  const roots = await openRoots(folder, () => true)
  await rm(folder, { recursive: true })
  const now = Date.UTC(2026, 8, 1)
  const nonce = Buffer.alloc(32, 7)
  const rekor = new Rekor(createPublicKey(roots.rekorKey), roots.rekorKey)
  const minted = Buffer.from(JSON.stringify(await mintEvidence({ platform, roots, rekor, keys: bootEnclave(), faults: new Set(), nonce, now })))
  const { policy } = sandboxProfile('http://127.0.0.1:1')
  if (!policy) throw new Error('the sandbox has no policy')
  const { verifyEvidence } = await import('../../src/core/attestation/index.ts')
  return () => verifyEvidence(minted, roots.trust, policy, now, nonce).good
}
