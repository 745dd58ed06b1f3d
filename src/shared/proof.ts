import { z } from 'zod'
import { collateralRecordSchema } from './collateral-record.ts'
import { hexOf } from './policy/code.ts'

/** The name of the format, and its version: another form is another name. */
export const PROOF_FORMAT = 'sotto-proof/v2'
/** Version 1 had no fresh evidence, and is otherwise the same. */
export const PROOF_FORMATS = ['sotto-proof/v1', PROOF_FORMAT] as const

/** Evidence in base64, with a policy and a verdict, stays far below this. */
export const MAX_PROOF_BYTES = 8 * 1024 * 1024
/** A document v3, as the evidence or in addition to it. */
const MAX_DOCUMENT_BASE64 = 6_000_000

export const trustRootSchema = z.strictObject({ name: z.string().min(1).max(100), sha256: hexOf(32) })
export type TrustRoot = z.infer<typeof trustRootSchema>

/**
 * Evidence as it was received, with the rules and the verdict of its verification, for another verification
 * elsewhere. That verification uses the evidence and the collateral, whose signatures are verified again.
 * An attacker may have changed the policy, roots and verdict in the file: they are only for comparison.
 */
export const proofSchema = z.strictObject({
  format: z.enum(PROOF_FORMATS),
  /** The time of the verification. */
  savedAt: z.iso.datetime(),
  /** Base64 of the bytes as received. */
  evidence: z.base64().min(1).max(MAX_DOCUMENT_BASE64),
  /** The nonce of the request for the evidence. A reader of the file can't know that it was fresh then. */
  nonce: hexOf(32).optional(),
  /** A document v3, in base64, and the nonce that it was asked for with. */
  fresh: z
    .strictObject({ document: z.base64().min(1).max(MAX_DOCUMENT_BASE64), nonce: hexOf(32) })
    .optional(),
  /** The newest statements of AMD or Intel that the verdict came from; some of them aren't in the evidence. */
  collateral: z.array(collateralRecordSchema).max(16).optional(),
  /** Not validated with the schema of this version, because files outlive it. */
  policy: z.record(z.string(), z.json()),
  trust: z.strictObject({ name: z.enum(['built-in', 'sandbox']), roots: z.array(trustRootSchema).max(64) }),
  verdict: z.looseObject({
    good: z.boolean(),
    verifiedAt: z.number(),
    evidenceDigest: hexOf(32),
    failure: z
      .object({ step: z.string().max(200), code: z.string().max(200), says: z.string().max(1000) })
      .optional(),
  }),
})
export type Proof = z.infer<typeof proofSchema>
