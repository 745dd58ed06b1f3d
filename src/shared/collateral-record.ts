import { z } from 'zod'
import { MAX_REVOCATION_LIST_BYTES, sevProducts, type CollateralName } from '../verifier/types.ts'

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
