import type { ServiceKey } from '../../../shared/service-key.ts'
import type { ResetPeriod } from './key-draft.ts'

export const periodNames: Readonly<Record<ResetPeriod, string>> = { daily: 'Each day', weekly: 'Each week', monthly: 'Each month' }
export const periodWords: Readonly<Record<ResetPeriod, string>> = { daily: 'a day', weekly: 'a week', monthly: 'a month' }

export type KeyState = 'active' | 'expired' | 'revoked'

/** `expired` is what its end says; what the service makes of that it does not say. */
export function stateOf({ revokedAt, expiresAt }: Pick<ServiceKey, 'revokedAt' | 'expiresAt'>, now: number): KeyState {
  if (typeof revokedAt === 'number') return 'revoked'
  return typeof expiresAt === 'number' && expiresAt <= now ? 'expired' : 'active'
}

/** How much of a whole a part is, 0 to 100, to a tenth. Pico-USD; of nothing, everything is used up. */
export function percentOf(part: string, whole: bigint): number {
  if (whole <= 0n) return 100
  return Math.min(100, Math.max(0, Number(BigInt(part) * 1000n / whole) / 10))
}
