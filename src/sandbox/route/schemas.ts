import { z } from 'zod'

/** A boolean in a query. */
export const queryFlag = z
  .enum(['true', 'false'], 'must be true or false')
  .default('false')
  .transform((value) => value === 'true')

/** A whole number in a query. */
export function queryNumber(least: number, most: number, otherwise: number) {
  return z
    .string()
    .regex(/^\d{1,9}$/, 'must be a whole number')
    .transform(Number)
    .pipe(z.number().min(least, `must be at least ${least}`).max(most, `must be at most ${most}`))
    .default(otherwise)
}

/** A moment in a body: ISO 8601 with its offset. */
export const isoMoment = z.iso.datetime({ offset: true, error: 'must be an ISO 8601 datetime' })

/** Unix ms as ISO 8601. */
export function iso(at: number): string {
  return new Date(at).toISOString()
}

export function isoOrNull(at: number | null): string | null {
  return at === null ? null : iso(at)
}

const pico = 1e12

/** Dollars as the service writes them: a number, with a float's noise. @param picoUsd 10^-12 USD */
export function dollars(picoUsd: bigint): number {
  return Number(picoUsd) / pico
}

/** 10^-12 USD, to the micro-dollar: what a caller can name. */
export function picoOf(usd: number): bigint {
  return BigInt(Math.round(usd * 1e6)) * 1_000_000n
}
