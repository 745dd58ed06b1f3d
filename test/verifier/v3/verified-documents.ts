import { v3Steps, type FreshEvidence, type RelayedInput } from '../../../src/verifier/v3/index.ts'
import { sandboxProfile } from '../../../src/sandbox/profile.ts'
import { rawX25519, tlsFingerprint } from '../../../src/sandbox/world/enclave.ts'
import type { CollateralItem } from '../../../src/sandbox/world/evidence.ts'
import { mintDocument, type DocumentRequest } from '../../../src/sandbox/world/v3/document.ts'
import type { DocumentPlatform, MintingWorld } from '../../../src/sandbox/world/v3/document-desk.ts'
import { mintReferenceValues, type ReferenceChanges } from '../../../src/sandbox/world/v3/reference-values.ts'
import { deploymentDigest } from '../../../src/sandbox/world/release.ts'
import type { AttestationPolicy } from '../../../src/shared/policy/attestation-policy.ts'
import { createTestWorld } from '../../sandbox/v3/test-world.ts'

export const DAY = 24 * 3600_000
/** Whole seconds, as a log records them. */
export const NOW = Date.UTC(2026, 7, 20, 9, 30)
export const NONCE = Buffer.from('7f31a89205a4636f21bebbd1622163c4ce66ee4ba9d83aba6a6f8ab3d9b69c63', 'hex')
export const platforms = ['sev-snp', 'tdx'] as const

export const sandboxPolicy: AttestationPolicy = policyOf()

function policyOf(): AttestationPolicy {
  const { policy } = sandboxProfile('http://127.0.0.1:1')
  if (!policy) throw new Error('the sandbox has a policy')
  return policy
}

/** Facts, or the step and the code of the refusal. */
export type DocumentResult = { readonly facts: FreshEvidence } | { readonly refused: string }

export interface Enclave {
  readonly world: MintingWorld
  /** The four signed entries, minted once. */
  readonly referenceValues: readonly CollateralItem[]
  readonly relayed: RelayedInput['relayed']
  /** A document's bytes. The signed entries are minted again only if the request changes them. */
  readonly mint: (request?: Partial<DocumentRequest>) => Buffer
  readonly verify: (document: Uint8Array, input?: Partial<RelayedInput>) => DocumentResult
  /** Mints and judges. */
  readonly verdict: (request?: Partial<DocumentRequest>, input?: Partial<RelayedInput>) => DocumentResult
}

/** An enclave whose documents all steps accept, unless a request changes something. */
export async function createEnclave(platform: DocumentPlatform, now = NOW): Promise<Enclave> {
  const world = await createTestWorld({ platform, now })
  const { keys, release } = world
  const referenceValues = mintReferenceValues(world)
  const relayed: Enclave['relayed'] = {
    keys: { tlsKeyFingerprint: tlsFingerprint(keys), hpkePublicKey: rawX25519(keys.hpke.publicKey) },
    release: { tag: release.tag, digest: deploymentDigest(release) },
  }
  const mint: Enclave['mint'] = (request = {}) =>
    Buffer.from(
      JSON.stringify(
        mintDocument(world, {
          nonce: NONCE,
          ...(!changesReferences(request) && { referenceValues }),
          ...request,
        }),
      ),
    )
  const verify: Enclave['verify'] = (document, input = {}) =>
    toDocumentResult(
      v3Steps.verify({
        document,
        nonce: NONCE,
        trust: world.roots.trust,
        policy: sandboxPolicy,
        now,
        relayed,
        ...input,
      }),
    )
  return {
    world,
    referenceValues,
    relayed,
    mint,
    verify,
    verdict: (request, input) => verify(mint(request), input),
  }
}

function changesReferences({ code, platform, codeWitness, platformWitness }: ReferenceChanges): boolean {
  return [code, platform, codeWitness, platformWitness].some((changes) => changes !== undefined)
}

/** Also requires that all steps before a failure passed, and that those after it weren't reached. */
function toDocumentResult(result: ReturnType<typeof v3Steps.verify>): DocumentResult {
  const { steps } = result
  if (steps.length !== v3Steps.names.length) throw new Error('steps are missing')
  if (result.good) {
    if (steps.some(({ outcome, required }) => outcome !== (required ? 'passed' : 'not-checked')))
      throw new Error('a good result with a step that didn’t pass')
    return { facts: result.value.fresh.value }
  }
  const at = steps.findIndex(({ outcome }) => outcome === 'failed')
  const inOrder = steps.every(
    ({ outcome }, index) => index === at || outcome === (index < at ? 'passed' : 'not-reached'),
  )
  if (!inOrder || steps[at]?.id !== result.failure.step) throw new Error('the failure isn’t the first')
  return { refused: `${result.failure.step} ${result.failure.code}` }
}
