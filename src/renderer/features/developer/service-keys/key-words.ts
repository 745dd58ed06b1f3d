import { t } from '@lingui/core/macro'
import type { ServiceKey } from '../../../../shared/service-key.ts'
import type { ResetPeriod } from './key-draft.ts'

export const periodNames: Readonly<Record<ResetPeriod, string>> = {
  get daily() {
    return t`Daily`
  },
  get weekly() {
    return t`Weekly`
  },
  get monthly() {
    return t`Monthly`
  },
}
export const periodWords: Readonly<Record<ResetPeriod, string>> = {
  get daily() {
    return t`per day`
  },
  get weekly() {
    return t`per week`
  },
  get monthly() {
    return t`per month`
  },
}

export type KeyState = 'active' | 'expired' | 'revoked'

/** `expired` is what its end says; what the service makes of that it does not say. */
export function stateOf(
  { revokedAt, expiresAt }: Pick<ServiceKey, 'revokedAt' | 'expiresAt'>,
  now: number,
): KeyState {
  if (typeof revokedAt === 'number') return 'revoked'
  return typeof expiresAt === 'number' && expiresAt <= now ? 'expired' : 'active'
}

/** How much of a whole a part is, 0 to 100, to a tenth. Pico-USD; of nothing, everything is used up. */
export function percentOf(part: string, whole: bigint): number {
  if (whole <= 0n) return 100
  return Math.min(100, Math.max(0, Number((BigInt(part) * 1000n) / whole) / 10))
}
