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

/** `expired` follows from the expiry only, because the service doesn't report whether it rejects such a key. */
export function stateOf(
  { revokedAt, expiresAt }: Pick<ServiceKey, 'revokedAt' | 'expiresAt'>,
  now: number,
): KeyState {
  if (typeof revokedAt === 'number') return 'revoked'
  return typeof expiresAt === 'number' && expiresAt <= now ? 'expired' : 'active'
}

/**
 * The percentage of a part, 0 to 100 with one decimal. Amounts are in pico-USD; if the whole is 0, the result
 * is 100.
 */
export function percentOf(part: string, whole: bigint): number {
  if (whole <= 0n) return 100
  return Math.min(100, Math.max(0, Number((BigInt(part) * 1000n) / whole) / 10))
}
