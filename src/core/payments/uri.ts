import { SottoError } from '../../shared/errors.ts'
import { bolt11Schema } from '../../shared/payment-challenge.ts'
import { withoutTrailing } from '../../shared/without-trailing.ts'
import { requireAddress, type AddressCoin } from './address.ts'

/** The decimal places of a coin: BIP 21 for those of Bitcoin's kind, piconero for Monero. */
const places: Readonly<Record<AddressCoin, number>> = { btc: 8, ltc: 8, lbtc: 8, xmr: 12 }
const schemes: Readonly<Record<AddressCoin, string>> = {
  btc: 'bitcoin',
  ltc: 'litecoin',
  lbtc: 'liquidnetwork',
  xmr: 'monero',
}
/** The whole supply of a coin has fewer digits. */
const MOST_DIGITS = 22

/** The asset ID of bitcoin on Liquid, and on a regtest of Elements, which an amount requires. */
const BITCOIN_ON_LIQUID: Readonly<Record<'bitcoin' | 'regtest', string>> = {
  bitcoin: '6f0279e9ed041c3d710a9f57d0c02928416460c4b722ae3457a11eec381c526d',
  regtest: '5ac9f65c0efcc4775e0baec4ec03abdde22473cd3cf33c0419ca290e0751b225',
}

/** The network; `bitcoin` is each coin's real one. */
export type PaymentNetwork = 'bitcoin' | 'regtest'

export interface AddressPayment {
  readonly coin: AddressCoin
  readonly network: PaymentNetwork
  readonly address: string
  /** In the coin's smallest unit: satoshi, litoshi, piconero. */
  readonly units: bigint
  /** The payee. Wallets may ignore it. */
  readonly label?: string
}

/**
 * Builds the text of a QR code, in capitals, which take fewer modules; wallets read both. The copied text is
 * the invoice itself.
 * @throws {SottoError} payment/invoice-invalid, payment/wrong-network
 */
export function lightningUri(invoice: string, network: PaymentNetwork): string {
  if (!bolt11Schema.safeParse(invoice).success) throw new SottoError('payment/invoice-invalid')
  // BOLT 11: the network's letters, and then the amount, or the 1 that ends the readable part.
  const letters = /^ln([a-z]+)\d/.exec(invoice)?.[1]
  if (letters !== (network === 'bitcoin' ? 'bc' : 'bcrt')) throw new SottoError('payment/wrong-network')
  return `LIGHTNING:${invoice.toUpperCase()}`
}

/**
 * Builds the URI of an amount of a coin, as wallets read it: BIP 21 and its variants for Litecoin, Liquid and
 * Monero.
 * @throws {SottoError} payment/no-amount, payment/invoice-invalid, payment/wrong-network
 */
export function addressUri({ coin, network, address, units, label }: AddressPayment): string {
  if (units <= 0n) throw new SottoError('payment/no-amount')
  requireAddress(coin, network, address)
  const monero = coin === 'xmr'
  const members: [string, string | undefined][] = [
    [monero ? 'tx_amount' : 'amount', coinsOf(coin, units)],
    ['assetid', coin === 'lbtc' ? BITCOIN_ON_LIQUID[network] : undefined],
    [monero ? 'recipient_name' : 'label', label],
  ]
  const query = members.flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${encodeURIComponent(value.toWellFormed())}`],
  )
  return `${schemes[coin]}:${address}?${query.join('&')}`
}

/**
 * Formats whole coins as decimal text, without exponent and trailing zeros: 12345n satoshi are 0.00012345.
 */
export function coinsOf(coin: AddressCoin, units: bigint): string {
  const digits = units.toString().padStart(places[coin] + 1, '0')
  const fraction = withoutTrailing('0', digits.slice(-places[coin]))
  return `${digits.slice(0, -places[coin])}${fraction === '' ? '' : `.${fraction}`}`
}

/** Parses whole coins; null if it isn't an amount of the coin, is zero, or has too many decimal places. */
export function unitsOf(coin: AddressCoin, coins: string): bigint | null {
  const match = /^(\d+)(?:\.(\d+))?$/.exec(coins)
  if (!match || coins.length > 2 * MOST_DIGITS) return null
  const [, whole = '', fraction = ''] = match
  const exact = withoutTrailing('0', fraction)
  if (exact.length > places[coin]) return null
  const digits = `${whole}${exact.padEnd(places[coin], '0')}`.replace(/^0+/, '')
  return digits === '' || digits.length > MOST_DIGITS ? null : BigInt(digits)
}
