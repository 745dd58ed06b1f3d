import { z } from 'zod'
import { rateOf } from '../index.ts'
import type { Settings } from './spending-settings.ts'
import { tryParseJson } from '../../../shared/strict-json.ts'

const RATE = 'exchange-rate'
/**
 * Shorter, and whoever tops up once a week would be without one nearly always. Longer, and bitcoin has moved further than an
 * invoice may be off: within a day it mostly has not, and a rate that is out of date refuses where bitcoin fell, which a new
 * topup invoice in dollars mends without being paid.
 */
const VALID_MS = 24 * 3_600_000

const rateSchema = z.object({ picoUsdPerSat: z.string().regex(/^[1-9]\d{0,29}$/), learnedAt: z.int() })

/** What a satoshi is worth by the service's own word. */
export interface ExchangeRate {
  readonly picoUsdPerSat: bigint
  /** Unix ms. */
  readonly learnedAt: number
}

/** The rate of one service, sealed with its other records. Nobody else is asked for one. */
export interface ExchangeRateCache {
  /** Undefined where none was learned in the last day. */
  now(): ExchangeRate | undefined
  /** The service asked for so many msat in the place of so many pico-USD. */
  learn(picoUsd: bigint, msat: bigint): void
}

/** What was kept and cannot be read counts as never learned. @param now Unix ms */
export function createExchangeRateCache(settings: Settings, now: () => number): ExchangeRateCache {
  return {
    now() {
      const kept = settings.get(RATE)
      const read = kept === null ? undefined : rateSchema.safeParse(tryParseJson(kept)).data
      if (!read) return undefined
      const age = now() - read.learnedAt
      // Where the clock was put back, nobody knows how old it is.
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
