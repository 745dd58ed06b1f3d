import type { SpendingLimitsText } from './lightning.ts'
import { say, type Said } from './say.ts'

const spoken: Record<keyof SpendingLimitsText, (most: { readonly msat: string }) => Said> = {
  perPayment: (most) => say('pay up to {most} per payment', { most }),
  perDay: (most) => say('spend up to {most} in 24 hours', { most }),
  perHostAndDay: (most) => say('spend up to {most} in 24 hours at one service', { most }),
  automaticUpTo: (most) => say('pay up to {most} without asking', { most }),
}

const names = ['perPayment', 'perDay', 'perHostAndDay', 'automaticUpTo'] as const

/** What `to` allows that `from` does not, each as the end of a sentence; empty where nothing is. */
export function raisings(from: SpendingLimitsText, to: SpendingLimitsText): Said {
  return names
    .filter((name) => BigInt(to[name]) > BigInt(from[name]))
    .flatMap((name) => spoken[name]({ msat: to[name] }))
}
