import { z } from 'zod'
import { MAX_REVOCATION_LIST_BYTES, sevProducts, type CollateralName } from '../verifier/types.ts'
import { isDirect } from './direct.ts'
import type { Profile } from './profile.ts'

export { MAX_REVOCATION_LIST_BYTES, type CollateralName }

const NAME = new RegExp(
  `^(?:amd-crl/(?:${sevProducts.join('|')})|intel-root-crl|intel-pck-crl/[ -~]{1,64}|intel-tcb-info/[0-9a-f]{12}|intel-qe-identity)$`,
)

/** A statement of AMD or Intel that was verified once, so that an older one can't replace it unnoticed. */
export const collateralRecordSchema = z.strictObject({
  name: z.string().refine((name): name is CollateralName => NAME.test(name)),
  /** Grows with each new statement: `thisUpdate` of a revocation list (Unix ms), or Intel's TCB evaluation data number. */
  version: z.int().min(0),
  /** Base64 of a revocation list in DER. Absent if the number is all that counts. */
  list: z
    .base64()
    .max(Math.ceil(MAX_REVOCATION_LIST_BYTES / 3) * 4)
    .optional(),
})
export type CollateralRecord = z.infer<typeof collateralRecordSchema>

/** AMD's key distribution service, which publishes revocation lists. */
export const AMD_KEY_SERVER = 'kdsintf.amd.com'

/**
 * Whether AMD's lists are downloaded for a profile: its enclaves may be AMD's, and they are verified. The sandbox mints its own lists and
 * sends them with its evidence, so it needs no other host. A document v3, the only evidence of direct profiles, must contain the list.
 */
export function looksUpRevocation({
  kind,
  revision,
  policy,
  direct,
}: Pick<Profile, 'kind' | 'revision' | 'policy' | 'direct'>): boolean {
  return !isDirect({ direct }) && kind === 'service' && revision === 'B' && policy?.sevSnp !== undefined
}
