import { z } from 'zod'
import { rateOf } from '../index.ts'
import type { Store } from '../../storage/index.ts'
import { tryParseJson } from '../../../shared/strict-json.ts'

const RATE = 'exchange-rate'
/**
 * If it were shorter, a person who tops up weekly would rarely have a rate. If it were longer, bitcoin's
 * price could move further than the tolerance of an invoice, which is rare within a day. After a fall of the
 * price, an outdated rate refuses invoices. A new top-up invoice in dollars, which needn't be paid, corrects
 * it.
 */
const VALID_MS = 24 * 3_600_000

const rateSchema = z.object({ picoUsdPerSat: z.string().regex(/^[1-9]\d{0,29}$/), learnedAt: z.int() })

/** The value of a satoshi by the service's statements. */
export interface ExchangeRate {
  readonly picoUsdPerSat: bigint
  /** Unix ms. */
  readonly learnedAt: number
}

/** Caches the rate of one service, sealed with its other records. No other party is asked for one. */
export interface ExchangeRateCache {
  /** Returns undefined if no rate was learned in the last day. */
  now(): ExchangeRate | undefined
  /** Notes that the service demanded these msat for these pico-USD. */
  learn(picoUsd: bigint, msat: bigint): void
}

/** Creates the cache. An unreadable rate counts as none. @param now Unix ms */
export function createExchangeRateCache(settings: Store['settings'], now: () => number): ExchangeRateCache {
  return {
    now() {
      const stored = settings.get(RATE)
      const read = stored === null ? undefined : rateSchema.safeParse(tryParseJson(stored)).data
      if (!read) return undefined
      const age = now() - read.learnedAt
      // If the clock was set back, the age is unknown.
      return age >= 0 && age < VALID_MS
        ? { picoUsdPerSat: BigInt(read.picoUsdPerSat), learnedAt: read.learnedAt }
        : undefined
    },
    learn(picoUsd, msat) {
      if (picoUsd <= 0n || msat <= 0n) return
      settings.set(
        RATE,
        JSON.stringify(
          rateSchema.parse({ picoUsdPerSat: rateOf(picoUsd, msat).toString(), learnedAt: Math.trunc(now()) }),
        ),
      )
    },
  }
}
