import { t } from '@lingui/core/macro'
import { parseUsd } from '../../../../shared/money.ts'
import type { Topup, TopupMethod, TopupMethodName } from '../../../../shared/topup.ts'
import { withoutTrailing } from '../../../../shared/without-trailing.ts'
import { formatDecimalSats, formatExactUsd, formatSats } from '../../../ui/format/money.ts'
import { formatDecimal } from '../../../ui/format/number.ts'
import { isolate } from '../../../ui/language/language.ts'
import { isHighFee } from '../purchases/purchase-words.ts'

export type Currency = TopupMethod['currencies'][number]['currency']

/** The texts that all coins with on-chain payments share. */
const onChain = {
  get arrives() {
    return t`After network confirmation`
  },
  get toPay() {
    return t`Send exactly this amount to this address, in this coin only. The payment appears here after network confirmation.`
  },
}

export const methodWords: Readonly<
  Record<
    TopupMethodName,
    {
      readonly name: string
      readonly paying: (amount: string) => string
      readonly coin: string
      readonly arrives: string
      readonly toPay: string
    }
  >
> = {
  'btc-lightning': {
    get name() {
      return t`Bitcoin (Lightning)`
    },
    paying: (amount) => t`${amount} over Lightning`,
    coin: 'BTC',
    get arrives() {
      return t`Usually seconds`
    },
    get toPay() {
      return t`Pay with any Lightning wallet. The payment usually appears here within seconds.`
    },
  },
  btc: {
    name: 'Bitcoin',
    paying: (amount) => t`${amount} in bitcoin`,
    coin: 'BTC',
    get arrives() {
      return onChain.arrives
    },
    get toPay() {
      return onChain.toPay
    },
  },
  ltc: {
    name: 'Litecoin',
    paying: (amount) => t`${amount} in litecoin`,
    coin: 'LTC',
    get arrives() {
      return onChain.arrives
    },
    get toPay() {
      return onChain.toPay
    },
  },
  lbtc: {
    get name() {
      return t`Bitcoin (Liquid)`
    },
    paying: (amount) => t`${amount} in bitcoin on Liquid`,
    coin: 'L-BTC',
    get arrives() {
      return t`Usually minutes`
    },
    get toPay() {
      return onChain.toPay
    },
  },
  xmr: {
    name: 'Monero',
    paying: (amount) => t`${amount} in monero`,
    coin: 'XMR',
    get arrives() {
      return onChain.arrives
    },
    get toPay() {
      return onChain.toPay
    },
  },
}

export const currencyWords: Readonly<Record<Currency, string>> = {
  get USD() {
    return t`US dollars`
  },
  get SATS() {
    return t`Satoshis`
  },
  BTC: 'Bitcoin',
}

/** "$5.00", "12,345 sats", "0.0005 BTC". @param amount decimal text */
export function formatAmount(amount: string, currency: Currency): string {
  switch (currency) {
    case 'USD':
      return formatDollars(amount)
    case 'SATS':
      return formatDecimalSats(amount)
    case 'BTC':
      return inCoin(amount, 'BTC')
  }
}

function inCoin(amount: string, coin: string): string {
  return isolate(`${formatDecimal(amount)} ${coin}`)
}

/** The requested or charged amount, to the last digit. */
function formatDollars(amount: string): string {
  const pico = parseUsd(amount)
  return pico === null ? amount : formatExactUsd(String(pico))
}

const SAT_PLACES = 8

/** The rest after a part was paid, else the whole amount. Undefined if the service didn't state it. */
export function amountToPay({
  coinAmount,
  received,
}: Pick<Topup, 'coinAmount' | 'received'>): string | undefined {
  return received ? received.due : coinAmount
}

/** "0.00009 of 0.0001 BTC". Undefined if nothing was received, or if no amount is known. */
export function receivedWords({ method, coinAmount, received }: Topup): string | undefined {
  if (received?.paid === undefined || coinAmount === undefined) return undefined
  const [paid, whole] = [formatDecimal(received.paid), inCoin(coinAmount, methodWords[method].coin)]
  return t({
    message: `${paid} of ${whole}`,
    comment: 'Received amount of a top-up, such as 0.00009 of 0.0001 BTC',
  })
}

/** An amount in the coin, and bitcoin in satoshis too. Undefined if the amount is. */
export function coinWords({
  method,
  coinAmount,
}: Pick<Topup, 'method' | 'coinAmount'>): { readonly coin: string; readonly sats?: string } | undefined {
  if (coinAmount === undefined) return undefined
  const { coin } = methodWords[method]
  const [whole = '0', part = ''] = coinAmount.split('.')
  const amounts = { coin: inCoin(coinAmount, coin) }
  if (coin !== 'BTC' && coin !== 'L-BTC') return amounts
  const [sats, below] = [
    `${whole}${part.padEnd(SAT_PLACES, '0').slice(0, SAT_PLACES)}`.replace(/^0+(?=\d)/, ''),
    withoutTrailing('0', part.slice(SAT_PLACES)),
  ]
  return { ...amounts, sats: formatAmount(below ? `${sats}.${below}` : sats, 'SATS') }
}

const MSAT_PLACES = 11

/** "$5.00 over Lightning". */
export function amountWords({
  amount,
  currency,
  method,
}: Pick<Topup, 'amount' | 'currency' | 'method'>): string {
  return methodWords[method].paying(formatAmount(amount, currency))
}

/** The paid amount, and the fee that the wallet added if it paid from here and reported the fee. */
export function paidWords(
  { coin, sats }: { readonly coin: string; readonly sats?: string },
  { coinAmount = '0', feeMsat }: Pick<Topup, 'coinAmount' | 'feeMsat'>,
): string {
  const paid = sats === undefined ? coin : `${coin} (${sats})`
  if (feeMsat === undefined) return paid
  const [whole = '0', part = ''] = coinAmount.split('.')
  const amountMsat = `${whole}${part.padEnd(MSAT_PLACES, '0').slice(0, MSAT_PLACES)}`
  const fee = formatSats(feeMsat)
  return isHighFee({ amountMsat, feeMsat })
    ? t`${paid}, plus ${fee} in fees (unusually high)`
    : t`${paid}, plus ${fee} in fees`
}
