import { z } from 'zod'
import { msg, type LocalizedText } from './localized-text.ts'

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

const spoken: Record<keyof SpendingLimitsText, (most: { readonly msat: string }) => LocalizedText> = {
  perPayment: (most) => msg('pay up to {most} per payment', { most }),
  perDay: (most) => msg('spend up to {most} in 24 hours', { most }),
  perHostAndDay: (most) => msg('spend up to {most} in 24 hours at one service', { most }),
  automaticUpTo: (most) => msg('pay up to {most} without asking', { most }),
}

const names = ['perPayment', 'perDay', 'perHostAndDay', 'automaticUpTo'] as const

/**
 * The limits that are higher in `to` than in `from`, each as the end of a sentence; empty if there are
 * none.
 */
export function raisings(from: SpendingLimitsText, to: SpendingLimitsText): LocalizedText {
  return names
    .filter((name) => BigInt(to[name]) > BigInt(from[name]))
    .flatMap((name) => spoken[name]({ msat: to[name] }))
}
