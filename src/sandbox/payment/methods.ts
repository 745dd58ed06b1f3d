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
function picoUsdOf(coin: Coin, units: bigint): bigint {
  return units * picoPerUnit[coin].pico
}

/** In whole coins, as decimal text. */
export function coinsOf(coin: Coin, units: bigint): string {
  const { decimals } = picoPerUnit[coin]
  const digits = units.toString().padStart(decimals + 1, '0')
  return `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`.replace(/\.?0+$/, '')
}

export const currencies = ['USD', 'BTC', 'SATS'] as const
export type Currency = (typeof currencies)[number]

interface Limits {
  readonly min: number
  readonly max: number
}

export interface TopupMethod {
  readonly method: 'btc-lightning' | 'btc' | 'ltc' | 'lbtc' | 'xmr'
  readonly displayName: string
  readonly coin: Coin
  readonly expirySeconds: number
  readonly limits: Readonly<Record<Currency, Limits>>
}

const picoPerUsd = 1_000_000_000_000

function method(
  name: TopupMethod['method'],
  displayName: string,
  coin: Coin,
  expirySeconds: number,
  usd: Limits,
  sats?: Limits,
): TopupMethod {
  const perSat = Number(picoUsdOf('btc', 1n)) / picoPerUsd
  const inSats = sats ?? { min: Math.ceil(usd.min / perSat), max: Math.floor(usd.max / perSat) }
  return {
    method: name,
    displayName,
    coin,
    expirySeconds,
    limits: { USD: usd, SATS: inSats, BTC: { min: inSats.min / 1e8, max: inSats.max / 1e8 } },
  }
}

const quarterHour = 15 * 60
const hour = 60 * 60

/** Ranges and expiries as they were observed. */
export const topupMethods: readonly TopupMethod[] = [
  method(
    'btc-lightning',
    'Bitcoin Lightning',
    'btc',
    quarterHour,
    { min: 0.1, max: 1000 },
    { min: 100, max: 1_000_000 },
  ),
  method('btc', 'Bitcoin', 'btc', hour, { min: 10, max: 10_000 }),
  method('ltc', 'Litecoin', 'ltc', hour, { min: 2, max: 1000 }),
  method('lbtc', 'Liquid Bitcoin', 'btc', hour, { min: 2, max: 10_000 }),
  method('xmr', 'Monero', 'xmr', hour, { min: 5, max: 10_000 }),
]

const decimals: Readonly<Record<Currency, number>> = { USD: 2, BTC: 8, SATS: 0 }

/**
 * The value of an amount in 10^-12 USD.
 * @returns a fault if it's outside of the method's limits, or too precise for the currency
 */
export function worthOf(
  amount: number,
  currency: Currency,
  { limits }: TopupMethod,
): bigint | { readonly fault: string } {
  const { min, max } = limits[currency]
  const exact = amount.toFixed(decimals[currency])
  if (Number(exact) !== amount)
    return { fault: `at most ${decimals[currency]} decimal places in ${currency}` }
  if (amount < min || amount > max) return { fault: `must be from ${min} to ${max} ${currency}` }
  const units = BigInt(exact.replace('.', ''))
  return currency === 'USD' ? units * 10_000_000_000n : picoUsdOf('btc', units)
}
