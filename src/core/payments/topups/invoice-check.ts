import type { ErrorCode } from '../../../shared/error-codes.ts'
import { SottoError } from '../../../shared/errors.ts'
import type { Topup } from '../../../shared/topup.ts'
import { addressUri, coinsOf, lightningUri, unitsOf, type PaymentNetwork } from '../uri.ts'
import { guardInvoice } from '../invoice-guard.ts'
import { readInvoice } from '../invoice.ts'
import type { TopupInvoice } from '../../gateway/service/account/topup-invoice.ts'
import type { TopupRecord } from '../../storage/index.ts'
import { compareDecimals } from './decimals.ts'

/** What was asked of the service. */
export type Asked = Pick<Topup, 'method' | 'amount' | 'currency'>

export interface Around {
  readonly network: PaymentNetwork
  /** Unix ms. */
  readonly now: number
  /** Pico-USD for a satoshi, where one is known. */
  readonly rate?: bigint | undefined
}

export type Checked = Pick<
  TopupRecord,
  'expiresAt' | 'coinAmount' | 'lightningInvoice' | 'paymentHash' | 'address' | 'problem'
>

const MSAT = 1000n
/** The rate drifts while a person decides; a processor may add what it pays to the network for moving the coins on. */
const TOLERANCE_PERCENT = 5n
const TOLERANCE_SAT = 2_000n
/** A rate may be a day old, and the invoice that it refuses is the one that would tell the new one: further it hardly moves in a day. */
const RATE_TOLERANCE_PERCENT = 25n

/**
 * Holds the service's answer to what was asked for: all of it is the service's word, and it decides who is paid and how much.
 * What may not be paid has a `problem`, the code of what is wrong with it, and none of what it could be paid by.
 */
export function checkAnswer(asked: Asked, answer: TopupInvoice, around: Around): Checked {
  try {
    if (answer.amount !== undefined && compareDecimals(answer.amount, asked.amount) !== 0)
      throw new SottoError('payment/wrong-amount')
    if (answer.currency !== undefined && answer.currency.toUpperCase() !== asked.currency)
      throw new SottoError('payment/wrong-amount')
    return asked.method === 'btc-lightning'
      ? checkLightning(asked, answer, around)
      : checkAddress(asked.method, asked, answer, around)
  } catch (thrown) {
    return { problem: codeOf(thrown), ...(answer.expiresAt !== undefined && { expiresAt: answer.expiresAt }) }
  }
}

function checkLightning(
  asked: Asked,
  { lightningInvoice: text, expiresAt = Infinity }: TopupInvoice,
  { network, now, rate }: Around,
): Checked {
  if (text === undefined) throw new SottoError('payment/invoice-invalid')
  const invoice = readInvoice(text)
  const expectedMsat = msatAsked(asked)
  const guarded = guardInvoice({
    invoice,
    network,
    now,
    paidBefore: false,
    ...(expectedMsat !== undefined && { expectedMsat }),
  })
  const sat = (guarded.amountMsat + MSAT - 1n) / MSAT
  requireFair(asked, sat, rate)
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
  asked: Asked,
  answer: TopupInvoice,
  { network, now, rate }: Around,
): Checked {
  const { paymentAddress: address, cryptoAmountDue, amountDue, expiresAt } = answer
  if (address === undefined) throw new SottoError('payment/invoice-invalid')
  const units = unitsOf(coin, cryptoAmountDue ?? amountDue ?? '')
  if (units === null) throw new SottoError('payment/no-amount')
  if (coin === 'btc' || coin === 'lbtc') {
    requireFair(asked, units, rate)
    const least = msatAsked(asked)
    if (least !== undefined && units * MSAT < least) throw new SottoError('payment/wrong-amount')
  }
  addressUri({ coin, network, address, units })
  if (expiresAt !== undefined) requireTime(expiresAt, now)
  return { address, coinAmount: coinsOf(coin, units), ...(expiresAt !== undefined && { expiresAt }) }
}

/** Not much more than it is worth, where that is known. Throws payment/wrong-amount. */
function requireFair(asked: Asked, sat: bigint, rate: bigint | undefined): void {
  const named = msatAsked(asked)
  const worth = named ?? (rate !== undefined && rate > 0n ? (picoUsdAsked(asked) * MSAT) / rate : undefined)
  const percent = named === undefined ? RATE_TOLERANCE_PERCENT : TOLERANCE_PERCENT
  if (worth !== undefined && sat * MSAT > worth + (worth * percent) / 100n + TOLERANCE_SAT * MSAT)
    throw new SottoError('payment/wrong-amount')
}

/** Nothing is shown for paying that ends before it can have been paid. */
function requireTime(expiresAt: number, now: number): void {
  if (expiresAt <= now) throw new SottoError('payment/expired')
}

/** Exactly, of an amount in bitcoin; undefined of one in dollars. */
export function msatAsked({ amount, currency }: Asked): bigint | undefined {
  if (currency === 'USD') return undefined
  return BigInt(amountDigits(amount, currency === 'BTC' ? 11 : 3))
}

/** Of an amount in dollars. */
export function picoUsdAsked({ amount }: Asked): bigint {
  return BigInt(amountDigits(amount, 12))
}

/** The amount times 10^places, which is whole: an amount was checked to be no finer than its currency. */
function amountDigits(amount: string, places: number): string {
  const [whole = '0', fraction = ''] = amount.split('.')
  return `${whole}${fraction.padEnd(places, '0').slice(0, places)}`
}

function codeOf(thrown: unknown): ErrorCode {
  return thrown instanceof SottoError ? thrown.code : 'payment/invoice-invalid'
}
