import { z } from 'zod'
import { collateralRecordSchema } from './collateral-record.ts'
import { hexOf } from './policy/hex.ts'

/** The name of the format, and its version: another form is another name. */
export const PROOF_FORMAT = 'sotto-proof/v2'
/** Version 1 had no fresh evidence, and is otherwise the same. */
export const PROOF_FORMATS = ['sotto-proof/v1', PROOF_FORMAT] as const

/** Evidence in base64, with a policy and a verdict, stays far below this. */
export const MAX_PROOF_BYTES = 8 * 1024 * 1024
/** A document v3, as the evidence itself or beside it. */
const MAX_DOCUMENT_BASE64 = 6_000_000

export const trustRootSchema = z.strictObject({ name: z.string().min(1).max(100), sha256: hexOf(32) })
export type TrustRoot = z.infer<typeof trustRootSchema>

/**
 * Evidence as it was received, with what it was judged by and what that came to, for judging it again elsewhere. Whoever
 * judges it uses the evidence and the collateral, whose signatures are verified again. Policy, roots and verdict are the file's own words,
 * there to be compared.
 */
export const proofSchema = z.strictObject({
  format: z.enum(PROOF_FORMATS),
  /** When it was judged and kept. */
  savedAt: z.iso.datetime(),
  /** Base64 of the bytes as received. */
  evidence: z.base64().min(1).max(MAX_DOCUMENT_BASE64),
  /** What the evidence was asked for with; whoever reads the file cannot know that it was fresh then. */
  nonce: hexOf(32).optional(),
  /** A document v3, in base64, and the nonce that it was asked for with. */
  fresh: z
    .strictObject({ document: z.base64().min(1).max(MAX_DOCUMENT_BASE64), nonce: hexOf(32) })
    .optional(),
  /** The newest statements of AMD or Intel that the verdict came from; some of them aren't in the evidence. */
  collateral: z.array(collateralRecordSchema).max(16).optional(),
  /** Not held to the schema of this version: a file outlives it. */
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
