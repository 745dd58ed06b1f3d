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

/** The format of each proof file, of this and other versions, begins with this. No evidence does. */
const FORMAT_FAMILY = 'sotto-proof/'

interface ProofParts {
  readonly evidence: Uint8Array
  readonly nonce?: Uint8Array
  readonly fresh?: FreshAnswer
  readonly trust: TrustSet
  /** The policy that the verdict applied. */
  readonly policy: object
  readonly verdict: Verdict
  /** The vendors' statements that the verdict used. */
  readonly collateral?: readonly CollateralRecord[]
}

/** Builds a proof: a verdict with all its inputs. */
export function makeProof({
  evidence,
  nonce,
  fresh,
  trust,
  policy,
  verdict,
  collateral = [],
}: ProofParts): Proof {
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

/**
 * The contents of a saved file: evidence as received, and the proof around it if the file is a proof file.
 */
export interface SavedEvidence {
  readonly evidence: Uint8Array
  readonly nonce?: Uint8Array
  readonly fresh?: FreshAnswer
  /**
   * The evidence is of the service's own enclave, verified with these accepted images. The file claims it.
   */
  readonly images?: ImageAcceptance
  /** Unverified: only the verifier checks the vendors' signatures. */
  readonly collateral?: readonly CollateralRecord[]
  readonly proof?: Proof
}

/**
 * Reads a proof file. Bytes in another format are treated as plain evidence. An attacker may control all of
 * them.
 * @throws {SottoError} proof/too-large, proof/malformed; proof/unsupported-version – a proof of another
 * version
 */
export function readSavedEvidence(bytes: Uint8Array): SavedEvidence {
  if (bytes.length > MAX_PROOF_BYTES) throw new SottoError('proof/too-large')
  const json = asJson(bytes)
  const format = isJsonObject(json) ? json['format'] : undefined
  // Plain evidence isn't validated here: its limits and form are steps of the verdict.
  if (typeof format !== 'string' || !format.startsWith(FORMAT_FAMILY)) return { evidence: bytes }
  if (!PROOF_FORMATS.some((known) => known === format)) throw new SottoError('proof/unsupported-version')
  const parsed = proofSchema.safeParse(json)
  const evidence = parsed.success ? decodeBase64(parsed.data.evidence) : undefined
  if (!parsed.success || !evidence) throw new SottoError('proof/malformed')
  const { nonce, fresh, collateral } = parsed.data
  const document = fresh && decodeBase64(fresh.document)
  const { serviceEnclave, images: writtenImages } = parsed.data.policy
  const images = serviceEnclave === undefined ? undefined : readAcceptance(writtenImages)
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

/** Returns undefined if the bytes aren't strict JSON, and so no proof file. */
function asJson(bytes: Uint8Array): JsonValue | undefined {
  try {
    return parseStrictJson(bytes)
  } catch {
    return undefined
  }
}
