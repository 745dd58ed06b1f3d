import { z } from 'zod'
import type { AttestationCode } from '../codes.ts'
import { platforms, type AttestationPolicy, type Platform } from '../policy.ts'
import type { TrustSet } from '../contract.ts'
import { verifyEvidence } from '../verdict.ts'
import { alteredBase64, withReportAltered } from './alter.ts'
import { verify } from 'node:crypto'
import { publicKeyFromSpki } from '../x509/index.ts'

/** RFC 8032, 7.1, test 2; the key after the head of an Ed25519 SubjectPublicKeyInfo (RFC 8410, 4). */
const PUBLIC_KEY = Buffer.from(
  '302a300506032b6570032100' + '3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c',
  'hex',
)
const MESSAGE = Buffer.from('72', 'hex')
const SIGNATURE = Buffer.from(
  '92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da' +
    '085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00',
  'hex',
)

/** Whether the RFC's signature holds for its message, and for no other: logs of signatures sign with such keys, and no minted evidence has one. */
function knowsEd25519(): boolean {
  const key = publicKeyFromSpki(PUBLIC_KEY)
  return (
    key !== undefined &&
    verify(null, MESSAGE, key, SIGNATURE) &&
    !verify(null, Buffer.from('73', 'hex'), key, SIGNATURE)
  )
}

/**
 * Evidence, the roots that verify it, and the time of verification. build/mint-known-evidence.ts minted it
 * under roots that verify nothing else.
 */
interface KnownEvidence {
  readonly evidence: object
  /** Unix ms. */
  readonly at: number
  /** Base64. */
  readonly nonce?: string
  /** DER in base64; Sigstore's as text. */
  readonly roots: {
    readonly amd?: { readonly Genoa: { readonly ark: string; readonly ask: string } }
    readonly intelSgx?: string
    readonly awsNitro?: string
    readonly sigstore: string
  }
  readonly policy: object
}

/**
 * The file is part of this package and complete. If it weren't, the known answers wouldn't hold, and nothing
 * would be accepted.
 */
const policySchema = z.custom<AttestationPolicy>((policy) => typeof policy === 'object' && policy !== null)

/** The same evidence with an invalid signature, and the code that the refusal must have. */
type Forgery = readonly [evidence: object, code: AttestationCode]

/**
 * Offset of r in an AMD report (AMD 56860, "Signature"), and in a version 4 quote after its header, body and
 * length.
 */
const SEV_SIGNATURE = 672
const QUOTE_SIGNATURE = 48 + 584 + 4

/**
 * Caches a success for the life of the process, and shares a pending check. A failure may be temporary, such
 * as a lack of memory, and isn't cached.
 */
const asked = new Map<Platform, Promise<boolean>>()

/**
 * Whether this machine's verifier accepts known evidence of the policy's platforms, and refuses it with the
 * right code if a signature is changed. This detects a runtime whose signature checks accept everything, or
 * nothing, before the verifier is used.
 *
 * Each platform is checked once per process after a success, which also compiles the code of a verdict. Never
 * rejects: an error gives false.
 */
export async function knownAnswersHold(policy: AttestationPolicy): Promise<boolean> {
  for (const platform of platforms) {
    if (policy[platform] && !(await knownAnswersOf(platform))) return false
  }
  return true
}

/** Like `knownAnswersHold`, for a single platform. */
export function knownAnswersOf(platform: Platform): Promise<boolean> {
  const known = asked.get(platform)
  if (known) return known
  const answer = givesKnownAnswers(platform).then((holds) => {
    if (!holds) asked.delete(platform)
    return holds
  })
  asked.set(platform, answer)
  return answer
}

/** Like `knownAnswersHold` for a single platform, without the cache. */
export async function givesKnownAnswers(platform: Platform): Promise<boolean> {
  try {
    const { known, forgeries } = await answers[platform]()
    const verify = verifierOf(known)
    return (
      knowsEd25519() &&
      verify(known.evidence).good &&
      forgeries.every(([evidence, code]) => verify(evidence).failure?.code === code)
    )
  } catch {
    return false
  }
}

function verifierOf({
  at,
  nonce,
  roots,
  policy,
}: KnownEvidence): (evidence: object) => ReturnType<typeof verifyEvidence> {
  const trust: TrustSet = {
    name: 'sandbox',
    amd: roots.amd ? { Genoa: { ark: bytes(roots.amd.Genoa.ark), ask: bytes(roots.amd.Genoa.ask) } } : {},
    sigstoreTrustedRoot: roots.sigstore,
    ...(roots.intelSgx !== undefined && { intelSgxRoot: bytes(roots.intelSgx) }),
    ...(roots.awsNitro !== undefined && { awsNitroRoot: bytes(roots.awsNitro) }),
  }
  const rules = policySchema.parse(policy)
  return (evidence) =>
    verifyEvidence(
      Buffer.from(JSON.stringify(evidence)),
      trust,
      rules,
      at,
      nonce === undefined ? undefined : bytes(nonce),
    )
}

function bytes(base64: string): Buffer {
  return Buffer.from(base64, 'base64')
}

/**
 * Loaded on demand. SEV-SNP signatures are RSA-PSS and ECDSA on both curves; the other platforms use ECDSA.
 */
const answers: Readonly<
  Record<Platform, () => Promise<{ readonly known: KnownEvidence; readonly forgeries: readonly Forgery[] }>>
> = {
  async sevSnp() {
    const { default: known } = await import('./sev-snp.json', { with: { type: 'json' } })
    const { evidence } = known
    const { dsseEnvelope: envelope } = evidence.sigstoreBundle
    const signatures = envelope.signatures.map(({ sig }) => ({ sig: alteredBase64(sig, -1) }))
    return {
      known,
      forgeries: [
        [withReportAltered(evidence, SEV_SIGNATURE), 'report/signature-invalid'],
        [{ ...evidence, vcek: alteredBase64(evidence.vcek, -1) }, 'vcek/chain-invalid'],
        [
          {
            ...evidence,
            sigstoreBundle: { ...evidence.sigstoreBundle, dsseEnvelope: { ...envelope, signatures } },
          },
          'sigstore/signature-invalid',
        ],
      ],
    }
  },
  async tdx() {
    const { default: known } = await import('./tdx.json', { with: { type: 'json' } })
    return {
      known,
      forgeries: [[withReportAltered(known.evidence, QUOTE_SIGNATURE), 'quote/signature-invalid']],
    }
  },
  async nitro() {
    const { default: known } = await import('./nitro.json', { with: { type: 'json' } })
    return { known, forgeries: [[withReportAltered(known.evidence, -1), 'nitro/signature-invalid']] }
  },
}
