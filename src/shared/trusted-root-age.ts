import { z } from 'zod'
import { hexOf } from './policy/code.ts'

export { TRUSTED_ROOT_STALE_AFTER_DAYS, trustedRootIsStale } from '../verifier/types.ts'

/** Metadata of the Sigstore root that ships: its source, and the date of its publication. */
export const trustedRootMetaSchema = z.strictObject({
  source: z.string(),
  version: z.string(),
  published: z.iso.date(),
  sha256: hexOf(32),
})
