import { z } from 'zod'

/** Thousandths of a satoshi, in decimal text: all bitcoin that there will be has 22 digits of them. */
export const msatSchema = z.string().regex(/^(0|[1-9]\d{0,21})$/)

/**
 * What may be spent over Lightning, in msat. 0 allows nothing; there is no word for no limit. Fees, and what is held for a
 * payment of which nobody knows yet whether it went through, count as spent.
 */
export const spendingLimitsSchema = z.object({
  perPayment: msatSchema,
  /** Within any 24 hours. */
  perDay: msatSchema,
  /** To one host, within any 24 hours. */
  perHostAndDay: msatSchema,
  /** Up to this much a payment to a host that was paid before asks nobody. */
  automaticUpTo: msatSchema,
})
export type SpendingLimitsText = z.infer<typeof spendingLimitsSchema>
