import { formatDecimal } from '../shared/format-count.ts'
import { formatDecimalSats, formatSats, formatUsd } from '../shared/format-money.ts'
import { parseUsd } from '../shared/money.ts'
import { topupStatus } from '../shared/topup-status.ts'
import type { Topup, TopupMethod, TopupMethodName } from '../shared/topup.ts'
import { withoutTrailing } from '../shared/without-trailing.ts'
import { formatSecond } from './format.ts'
import { topupMethodLabels, topupStatusNames } from './labels.ts'

const SAT_PLACES = 8

const coins: Readonly<Record<TopupMethodName, string>> = {
  'btc-lightning': 'BTC',
  btc: 'BTC',
  ltc: 'LTC',
  lbtc: 'L-BTC',
  xmr: 'XMR',
}

/** Formats an amount to the last digit: "$5.00", "12,345 sats", "0.0005 BTC". @param amount decimal text */
function formatTopupAmount(amount: string, currency: Topup['currency']): string {
  if (currency === 'SATS') return formatDecimalSats(amount)
  if (currency === 'BTC') return `${formatDecimal(amount)} BTC`
  const picoUsd = parseUsd(amount)
  return picoUsd === null ? `${amount} USD` : formatUsd(picoUsd.toString(), 'en', { style: 'exact' })
}

/** Formats the amount on the coin's own network: "0.00013157 BTC (13,157 sats)". Null if the service didn't name it. */
function formatCoinAmount({ method, coinAmount }: Pick<Topup, 'method' | 'coinAmount'>): string | null {
  if (coinAmount === undefined) return null
  const coin = `${formatDecimal(coinAmount)} ${coins[method]}`
  return coins[method].endsWith('BTC') ? `${coin} (${formatDecimalSats(satsOf(coinAmount))})` : coin
}

/** Formats a top-up in a single line: its status and the relevant amounts. */
export function topupLine(topup: Topup): string {
  const now = Date.now()
  const { amount, currency, received } = topup
  const parts = [
    `top-up of ${formatTopupAmount(amount, currency)}`,
    ...(received ? receivedParts(topup, now) : [coinPart(topup)]),
  ]
  return `${topupStatusNames[topupStatus(topup, now)]}: ${parts.filter((part) => part !== undefined).join('; ')}`
}

function coinPart(topup: Topup): string | undefined {
  const coin = formatCoinAmount(topup)
  if (coin === null) return undefined
  const { state, feeMsat } = topup
  const fee = feeMsat === undefined || feeMsat === '0' ? '' : ` plus ${formatSats(feeMsat)} fee`
  return state === 'settled' ? `${coin}${fee} paid` : `${coin} due`
}

/** The received part of the amount, and the rest that a person must send. */
function receivedParts(topup: Topup, now: number): (string | undefined)[] {
  const { method, coinAmount, received, expiresAt, state, uri } = topup
  if (received?.covers === 'whole' && state === 'settled') return [coinPart(topup)]
  const arrived =
    received?.paid === undefined || coinAmount === undefined
      ? 'a part was received'
      : `${formatDecimal(received.paid)} of ${formatDecimal(coinAmount)} ${coins[method]} received`
  if (uri === undefined || received?.due === undefined || topupStatus(topup, now) !== 'part-paid')
    return [arrived]
  const until = expiresAt === undefined ? '' : ` before ${formatSecond(expiresAt)}`
  return [arrived, `send ${formatDecimal(received.due)} ${coins[method]} more to the same address${until}`]
}

/** The lines by which a person pays a new top-up. @param account its name, if it has one */
export function paymentLines(topup: Topup, account: string | undefined): string[] {
  const { method, amount, currency, expiresAt, lightningInvoice, address, uri } = topup
  const coin = formatCoinAmount(topup)
  const lines: (readonly [string, string | null | undefined])[] = [
    [
      'Top-up',
      `${formatTopupAmount(amount, currency)}${account === undefined ? '' : ` for the account “${account}”`}`,
    ],
    ['Method', topupMethodLabels[method]],
    ['Amount to pay', coin],
    ['Expires', expiresAt === undefined ? undefined : formatSecond(expiresAt)],
    ['Invoice', lightningInvoice],
    ['Address', address],
    ['Payment link', lightningInvoice === undefined ? uri : undefined],
    ['Top-up ID', topup.invoiceId],
  ]
  return lines.flatMap(([name, value]) =>
    value === null || value === undefined ? [] : [`${`${name}:`.padEnd(15)}${value}`],
  )
}

/** Formats a payment method in a single line, with its limits in each currency. */
export function methodLine({ method, currencies }: TopupMethod): string {
  const limits = currencies.map(({ currency, min, max }) => {
    if (min === undefined && max === undefined) return `any amount in ${currency}`
    if (max === undefined) return `from ${formatTopupAmount(min ?? '', currency)}`
    return `${min === undefined ? 'up' : formatTopupAmount(min, currency)} to ${formatTopupAmount(max, currency)}`
  })
  return `${method.padEnd(15)}${topupMethodLabels[method]}: ${limits.length === 0 ? 'no supported currency' : limits.join('; ')}`
}

/** Bitcoin in decimal text as satoshis in decimal text, exactly. */
function satsOf(bitcoin: string): string {
  const [whole = '0', fraction = ''] = bitcoin.split('.')
  const sats = `${whole}${fraction.padEnd(SAT_PLACES, '0').slice(0, SAT_PLACES)}`.replace(/^0+(?=\d)/, '')
  const below = withoutTrailing('0', fraction.slice(SAT_PLACES))
  return below === '' ? sats : `${sats}.${below}`
}
