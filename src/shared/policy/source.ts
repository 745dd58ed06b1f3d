import { z } from 'zod'

/** Where values of a preset's policy come from, and when a maintainer last compared them with it. */
export const policySourceSchema = z.strictObject({
  /** Paths within the policy, such as `sevSnp.products.Genoa.minimumTcb`. A path covers everything below it; the longest one counts. */
  values: z.array(z.string().min(1)).min(1),
  /** A bulletin, a published policy, or what was measured on genuine evidence. */
  source: z.string().min(1),
  /** `YYYY-MM-DD` */
  reviewed: z.iso.date(),
})
export type PolicySource = z.infer<typeof policySourceSchema>
