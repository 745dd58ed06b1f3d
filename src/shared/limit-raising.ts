import type { SpendingLimitsText } from './lightning.ts'

const SAT = 1000n

/** msat (decimal text) as satoshis that a person reads: "1,000 sat", "0.5 sat". Exact. */
export function formatSats(msat: string): string {
  const amount = BigInt(msat)
  const whole = (amount / SAT).toString().replaceAll(/\B(?=(\d{3})+$)/g, ',')
  const fraction = (amount % SAT).toString().padStart(3, '0').replace(/0+$/, '')
  return `${whole}${fraction === '' ? '' : `.${fraction}`} sat`
}

const spoken: Record<keyof SpendingLimitsText, (sats: string) => string> = {
  perPayment: (sats) => `pay up to ${sats} at once`,
  perDay: (sats) => `spend up to ${sats} in 24 hours`,
  perHostAndDay: (sats) => `spend up to ${sats} in 24 hours at one service`,
  automaticUpTo: (sats) => `pay up to ${sats} without asking`,
}

const names = ['perPayment', 'perDay', 'perHostAndDay', 'automaticUpTo'] as const

/** What `to` allows that `from` does not, each as the end of a sentence; empty where nothing is. */
export function raisings(from: SpendingLimitsText, to: SpendingLimitsText): string[] {
  return names.filter((name) => BigInt(to[name]) > BigInt(from[name])).map((name) => spoken[name](formatSats(to[name])))
}
