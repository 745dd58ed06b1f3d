import type { ErrorCode } from '../../../shared/error-codes.ts'
import { SottoError } from '../../../shared/errors.ts'
import type { Topup } from '../../../shared/topup.ts'
import { addressUri, coinsOf, lightningUri, unitsOf, type PaymentNetwork } from '../uri.ts'
import { guardInvoice } from '../invoice-guard.ts'
import { readInvoice } from '../invoice.ts'
import type { TopupInvoice } from '../../gateway/service/account/topup-invoice.ts'
import type { TopupRecord } from '../../storage/index.ts'
import { compareDecimals } from './topup-amount.ts'

/** The request to the service. */
export type Asked = Pick<Topup, 'method' | 'amount' | 'currency'>

export interface Around {
  readonly network: PaymentNetwork
  /** Unix ms. */
  readonly now: number
  /** Pico-USD per satoshi, if it's known. */
  readonly rate?: bigint | undefined
}

export type Checked = Pick<
  TopupRecord,
  'expiresAt' | 'coinAmount' | 'lightningInvoice' | 'paymentHash' | 'address' | 'problem'
>

const MSAT = 1000n
/** The rate changes while a person decides. A processor may also add its network fee for moving the coins. */
const TOLERANCE_PERCENT = 5n
const TOLERANCE_SAT = 2_000n
/**
 * A rate may be a day old, and an invoice that it refuses is the one with the new rate. In a day, the rate
 * rarely changes more than this.
 */
const RATE_TOLERANCE_PERCENT = 25n

/**
 * Compares the service's answer with the request. The service controls all of it, and so the payee and the
 * amount. If an answer must not be paid, it has a `problem` (the code), and nothing that it could be paid
 * with.
 */
export function checkAnswer(request: Asked, answer: TopupInvoice, around: Around): Checked {
  try {
    if (answer.amount !== undefined && compareDecimals(answer.amount, request.amount) !== 0)
      throw new SottoError('payment/wrong-amount')
    if (answer.currency !== undefined && answer.currency.toUpperCase() !== request.currency)
      throw new SottoError('payment/wrong-amount')
    return request.method === 'btc-lightning'
      ? checkLightning(request, answer, around)
      : checkAddress(request.method, request, answer, around)
  } catch (thrown) {
    return { problem: codeOf(thrown), ...(answer.expiresAt !== undefined && { expiresAt: answer.expiresAt }) }
  }
}

function checkLightning(
  request: Asked,
  { lightningInvoice: text, expiresAt = Infinity }: TopupInvoice,
  { network, now, rate }: Around,
): Checked {
  if (text === undefined) throw new SottoError('payment/invoice-invalid')
  const invoice = readInvoice(text)
  const expectedMsat = msatAsked(request)
  const guarded = guardInvoice({
    invoice,
    network,
    now,
    paidBefore: false,
    ...(expectedMsat !== undefined && { expectedMsat }),
  })
  const sat = (guarded.amountMsat + MSAT - 1n) / MSAT
  requireFair(request, sat, rate)
  lightningUri(text, network)
  requireTime(expiresAt, now)
  return {
    expiresAt: Math.min(expiresAt, guarded.expiresAt),
    coinAmount: coinsOf('btc', sat),
    lightningInvoice: text,
    paymentHash: invoice.paymentHash,
  }
}

function checkAddress(
  coin: Exclude<Topup['method'], 'btc-lightning'>,
  request: Asked,
  answer: TopupInvoice,
  { network, now, rate }: Around,
): Checked {
  const { paymentAddress: address, cryptoAmountDue, amountDue, expiresAt } = answer
  if (address === undefined) throw new SottoError('payment/invoice-invalid')
  const units = unitsOf(coin, cryptoAmountDue ?? amountDue ?? '')
  if (units === null) throw new SottoError('payment/no-amount')
  if (coin === 'btc' || coin === 'lbtc') {
    requireFair(request, units, rate)
    const least = msatAsked(request)
    if (least !== undefined && units * MSAT < least) throw new SottoError('payment/wrong-amount')
  }
  addressUri({ coin, network, address, units })
  if (expiresAt !== undefined) requireTime(expiresAt, now)
  return { address, coinAmount: coinsOf(coin, units), ...(expiresAt !== undefined && { expiresAt }) }
}

/**
 * Requires that the amount isn't much more than its value, if that is known.
 * @throws {SottoError} payment/wrong-amount
 */
function requireFair(request: Asked, sat: bigint, rate: bigint | undefined): void {
  const named = msatAsked(request)
  const worth = named ?? (rate !== undefined && rate > 0n ? (picoUsdAsked(request) * MSAT) / rate : undefined)
  const percent = named === undefined ? RATE_TOLERANCE_PERCENT : TOLERANCE_PERCENT
  if (worth !== undefined && sat * MSAT > worth + (worth * percent) / 100n + TOLERANCE_SAT * MSAT)
    throw new SottoError('payment/wrong-amount')
}

/** An expired invoice isn't shown for payment. */
function requireTime(expiresAt: number, now: number): void {
  if (expiresAt <= now) throw new SottoError('payment/expired')
}

/** Returns the exact amount of a request in bitcoin; undefined for one in dollars. */
export function msatAsked({ amount, currency }: Asked): bigint | undefined {
  if (currency === 'USD') return undefined
  return BigInt(amountDigits(amount, currency === 'BTC' ? 11 : 3))
}

/** Returns the amount of a request in dollars. */
export function picoUsdAsked({ amount }: Asked): bigint {
  return BigInt(amountDigits(amount, 12))
}

/**
 * Returns the amount times 10^places, which is an integer: an earlier check requires that an amount isn't
 * finer than its currency.
 */
function amountDigits(amount: string, places: number): string {
  const [whole = '0', fraction = ''] = amount.split('.')
  return `${whole}${fraction.padEnd(places, '0').slice(0, places)}`
}

function codeOf(thrown: unknown): ErrorCode {
  return thrown instanceof SottoError ? thrown.code : 'payment/invoice-invalid'
}
