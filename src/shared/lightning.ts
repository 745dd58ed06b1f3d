import { z } from 'zod'

/** Thousandths of a satoshi, in decimal text: all bitcoin that there will be has 22 digits of them. */
export const msatSchema = z.string().regex(/^(0|[1-9]\d{0,21})$/)

/**
 * The spending limits over Lightning, in msat. 0 allows nothing, and a limit can't be absent. Fees, and
 * money in payments of unknown outcome, count as spent.
 */
export const spendingLimitsSchema = z.object({
  perPayment: msatSchema,
  /** Within any 24 hours. */
  perDay: msatSchema,
  /** To one host, within any 24 hours. */
  perHostAndDay: msatSchema,
  /** A payment up to this amount needs no confirmation if its host was paid before. */
  automaticUpTo: msatSchema,
})
export type SpendingLimitsText = z.infer<typeof spendingLimitsSchema>
