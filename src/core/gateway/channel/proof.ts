import type { CollateralRecord } from '../../../shared/collateral-record.ts'
import { SottoError } from '../../../shared/errors.ts'
import {
  MAX_PROOF_BYTES,
  PROOF_FORMAT,
  PROOF_FORMATS,
  proofSchema,
  type Proof,
} from '../../../shared/proof.ts'
import { isJsonObject, parseStrictJson, type JsonValue } from '../../../shared/strict-json.ts'
import type { TrustSet } from '../../../shared/trust.ts'
import { verdictInEnglish, type Verdict } from '../../../shared/verdict.ts'
import {
  decodeBase64,
  readAcceptance,
  trustRoots,
  type FreshAnswer,
  type ImageAcceptance,
} from '../../../verifier/index.ts'

/** The formats of proof files, of this version and others, begin so; no evidence's does. */
const FORMAT_FAMILY = 'sotto-proof/'

interface Judged {
  readonly evidence: Uint8Array
  readonly nonce?: Uint8Array
  readonly fresh?: FreshAnswer
  readonly trust: TrustSet
  /** What the verdict was judged by. */
  readonly policy: object
  readonly verdict: Verdict
  /** The statements of vendors that the verdict came from. */
  readonly collateral?: readonly CollateralRecord[]
}

/** A verdict with everything that it came from. */
export function makeProof({
  evidence,
  nonce,
  fresh,
  trust,
  policy,
  verdict,
  collateral = [],
}: Judged): Proof {
  return {
    format: PROOF_FORMAT,
    savedAt: new Date(verdict.verifiedAt).toISOString(),
    evidence: Buffer.from(evidence).toString('base64'),
    ...(nonce && { nonce: Buffer.from(nonce).toString('hex') }),
    ...(fresh &&
      'document' in fresh && {
        fresh: {
          document: Buffer.from(fresh.document).toString('base64'),
          nonce: Buffer.from(fresh.nonce).toString('hex'),
        },
      }),
    ...(collateral.length > 0 && { collateral: [...collateral] }),
    policy: proofSchema.shape.policy.parse(JSON.parse(JSON.stringify(policy))),
    trust: { name: trust.name, roots: trustRoots(trust) },
    verdict: verdictInEnglish(verdict),
  }
}

/** What a saved file holds: evidence as it was received, and the proof around it where the file is one. */
export interface SavedEvidence {
  readonly evidence: Uint8Array
  readonly nonce?: Uint8Array
  readonly fresh?: FreshAnswer
  /** The evidence is of the service's own enclave, judged with these images accepted: the file's own words. */
  readonly images?: ImageAcceptance
  /** Only the verifier says whether a vendor signed them. */
  readonly collateral?: readonly CollateralRecord[]
  readonly proof?: Proof
}

/**
 * Reads a proof file, or takes the bytes as plain evidence where they are none. Hostile.
 * Throws proof/too-large, proof/malformed, and proof/unsupported-version for a proof of another version.
 */
export function readSavedEvidence(bytes: Uint8Array): SavedEvidence {
  if (bytes.length > MAX_PROOF_BYTES) throw new SottoError('proof/too-large')
  const json = asJson(bytes)
  const format = isJsonObject(json) ? json['format'] : undefined
  // Plain evidence is judged as it is: its own limits and form are steps of the verdict.
  if (typeof format !== 'string' || !format.startsWith(FORMAT_FAMILY)) return { evidence: bytes }
  if (!PROOF_FORMATS.some((known) => known === format)) throw new SottoError('proof/unsupported-version')
  const parsed = proofSchema.safeParse(json)
  const evidence = parsed.success ? decodeBase64(parsed.data.evidence) : undefined
  if (!parsed.success || !evidence) throw new SottoError('proof/malformed')
  const { nonce, fresh, collateral } = parsed.data
  const document = fresh && decodeBase64(fresh.document)
  const { serviceEnclave, images: kept } = parsed.data.policy
  const images = serviceEnclave === undefined ? undefined : readAcceptance(kept)
  if ((fresh && !document) || images === null) throw new SottoError('proof/malformed')
  return {
    evidence,
    ...(nonce !== undefined && { nonce: Buffer.from(nonce, 'hex') }),
    ...(fresh && document && { fresh: { document, nonce: Buffer.from(fresh.nonce, 'hex') } }),
    ...(collateral && { collateral }),
    ...(images && { images }),
    proof: parsed.data,
  }
}

/** Undefined where it is no strict JSON: then it is no proof file either. */
function asJson(bytes: Uint8Array): JsonValue | undefined {
  try {
    return parseStrictJson(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes))
  } catch {
    return undefined
  }
}
