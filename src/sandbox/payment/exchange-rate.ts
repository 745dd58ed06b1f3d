export type Coin = 'btc' | 'ltc' | 'xmr'

/** The sandbox's own exchange: 10^-12 USD for the smallest unit that is asked for (satoshi, litoshi, piconero). */
const picoPerUnit: Readonly<Record<Coin, { readonly pico: bigint; readonly decimals: number }>> = {
  // 80,000 USD for a bitcoin, 100 for a litecoin, 320 for a monero.
  btc: { pico: 800_000_000n, decimals: 8 },
  ltc: { pico: 1_000_000n, decimals: 8 },
  xmr: { pico: 320n, decimals: 12 },
}

/** In the coin's smallest unit, rounded up. @param picoUsd 10^-12 USD */
export function unitsFor(coin: Coin, picoUsd: bigint): bigint {
  const { pico } = picoPerUnit[coin]
  return (picoUsd + pico - 1n) / pico
}

/** 10^-12 USD for a number of the coin's smallest units. */
export function picoUsdOf(coin: Coin, units: bigint): bigint {
  return units * picoPerUnit[coin].pico
}

/** In whole coins, as decimal text. */
export function coinsOf(coin: Coin, units: bigint): string {
  const { decimals } = picoPerUnit[coin]
  const digits = units.toString().padStart(decimals + 1, '0')
  return `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`.replace(/\.?0+$/, '')
}
