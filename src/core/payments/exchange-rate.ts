import { divideUp } from '../../shared/money.ts'

const MSAT = 1000n

/**
 * Returns pico-USD per satoshi, from an amount whose price in dollars the service stated. Rounded up; both
 * are positive.
 */
export function rateOf(picoUsd: bigint, msat: bigint): bigint {
  return divideUp(picoUsd * MSAT, msat)
}

/** Returns the value of an amount at a rate, in pico-USD. Rounded up, so that it's never shown too low. */
export function worthOf(msat: bigint, picoUsdPerSat: bigint): bigint {
  return divideUp(msat * picoUsdPerSat, MSAT)
}
