import { z } from 'zod'
import { hexOf } from './policy/hex.ts'

export { TRUSTED_ROOT_STALE_AFTER_DAYS, trustedRootIsStale } from '../verifier/types.ts'

/** What stands beside the Sigstore root that ships: where it is from, and since when it has been published. */
export const trustedRootMetaSchema = z.strictObject({
  source: z.string(),
  version: z.string(),
  published: z.iso.date(),
  sha256: hexOf(32),
})
