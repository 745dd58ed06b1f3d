import type { SpendingLimitsText } from './lightning.ts'
import { msg, type LocalizedText } from './localized-text.ts'

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
