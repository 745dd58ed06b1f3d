import { divideUp } from '../../shared/money.ts'

const MSAT = 1000n

/** Pico-USD for a satoshi, of an amount whose price in dollars the service named. Rounded up; both are more than nothing. */
export function rateOf(picoUsd: bigint, msat: bigint): bigint {
  return divideUp(picoUsd * MSAT, msat)
}

/** What an amount is worth at a rate, in pico-USD; rounded up, so that nothing is shown as less than it is. */
export function worthOf(msat: bigint, picoUsdPerSat: bigint): bigint {
  return divideUp(msat * picoUsdPerSat, MSAT)
}
