const pico = 1e12

/** Dollars as the service writes them: a number, with a float's noise. @param picoUsd 10^-12 USD */
export function dollars(picoUsd: bigint): number {
  return Number(picoUsd) / pico
}

/** 10^-12 USD, to the micro-dollar: what a caller can name. */
export function picoOf(usd: number): bigint {
  return BigInt(Math.round(usd * 1e6)) * 1_000_000n
}
