import { z } from 'zod'
import { hexOf } from './policy/hex.ts'

/** What stands beside the Sigstore root that ships: where it is from, and since when it has been published. */
export const trustedRootMetaSchema = z.strictObject({
  source: z.string(),
  version: z.string(),
  published: z.iso.date(),
  sha256: hexOf(32),
})

/** Sigstore replaces its logs and authorities about once a year, and announces that months ahead in the root. */
export const TRUSTED_ROOT_STALE_AFTER_DAYS = 90

const DAY_MS = 24 * 3600_000

/** @param published and @param now Unix ms */
export function trustedRootIsStale(published: number, now: number): boolean {
  return now - published > TRUSTED_ROOT_STALE_AFTER_DAYS * DAY_MS
}
