import type { Topup, TopupMethod, TopupMethodName } from '../../../../shared/topup.ts'
import { grouped } from '../balance-words.ts'
import { isHighFee } from '../purchases/purchase-words.ts'
import { formatSats } from '../sats.ts'

export type Currency = TopupMethod['currencies'][number]['currency']

const CONFIRMED = 'Once its network has confirmed the payment'
const ON_CHAIN = 'Send exactly this amount to this address, in this coin and no other. It shows here once the network has confirmed it.'

export const methodWords: Readonly<Record<TopupMethodName, { readonly name: string; readonly by: string; readonly coin: string; readonly arrives: string; readonly toPay: string }>> = {
  'btc-lightning': { name: 'Bitcoin over Lightning', by: 'over Lightning', coin: 'BTC', arrives: 'Within seconds, as a rule', toPay: 'Pay it with any Lightning wallet. It shows here when it is paid: within seconds, as a rule.' },
  btc: { name: 'Bitcoin', by: 'in bitcoin', coin: 'BTC', arrives: CONFIRMED, toPay: ON_CHAIN },
  ltc: { name: 'Litecoin', by: 'in litecoin', coin: 'LTC', arrives: CONFIRMED, toPay: ON_CHAIN },
  lbtc: { name: 'Bitcoin on Liquid', by: 'in bitcoin on Liquid', coin: 'L-BTC', arrives: 'Within minutes, as a rule', toPay: ON_CHAIN },
  xmr: { name: 'Monero', by: 'in monero', coin: 'XMR', arrives: CONFIRMED, toPay: ON_CHAIN },
}

export const currencyWords: Readonly<Record<Currency, string>> = { USD: 'US dollars', SATS: 'Satoshis', BTC: 'Bitcoin' }

/** "$5.00", "12,345 sats", "0.0005 BTC". @param amount decimal text */
export function formatAmount(amount: string, currency: Currency): string {
  const [whole = '0', part = ''] = amount.split('.')
  const short = part.replace(/0+$/, '')
  switch (currency) {
    case 'USD': return `$${grouped(whole)}.${short.padEnd(2, '0')}`
    case 'SATS': return `${grouped(whole)}${short ? `.${short}` : ''} ${whole === '1' && !short ? 'sat' : 'sats'}`
    case 'BTC': return `${grouped(whole)}${short ? `.${short}` : ''} BTC`
  }
}

const SAT_PLACES = 8

/** What is paid, in the coin; bitcoin in satoshis too. Undefined where the service did not say. */
export function coinWords({ method, coinAmount }: Topup): { readonly coin: string; readonly sats?: string } | undefined {
  if (coinAmount === undefined) return undefined
  const { coin } = methodWords[method]
  const [whole = '0', part = ''] = coinAmount.split('.')
  const short = part.replace(/0+$/, '')
  const words = { coin: `${grouped(whole)}${short ? `.${short}` : ''} ${coin}` }
  if (coin !== 'BTC' && coin !== 'L-BTC') return words
  const [sats, below] = [`${whole}${part.padEnd(SAT_PLACES, '0').slice(0, SAT_PLACES)}`.replace(/^0+(?=\d)/, ''), part.slice(SAT_PLACES).replace(/0+$/, '')]
  return { ...words, sats: formatAmount(below ? `${sats}.${below}` : sats, 'SATS') }
}

const MSAT_PLACES = 11

/** What the wallet added where it paid from here, to stand behind what was paid: nothing where that is not known. */
export function feeWords({ coinAmount = '0', feeMsat }: Pick<Topup, 'coinAmount' | 'feeMsat'>): string {
  if (feeMsat === undefined) return ''
  const [whole = '0', part = ''] = coinAmount.split('.')
  const amountMsat = `${whole}${part.padEnd(MSAT_PLACES, '0').slice(0, MSAT_PLACES)}`
  return `, and a fee of ${formatSats(feeMsat)}${isHighFee({ amountMsat, feeMsat }) ? ', which is much for a fee' : ''}`
}
