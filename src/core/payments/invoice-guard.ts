import type { ErrorCode } from '../../shared/error-codes.ts'
import { SottoError } from '../../shared/errors.ts'
import type { PaymentChallenge } from '../../shared/payment-challenge.ts'
import { msg, type LocalizedText } from '../../shared/localized-text.ts'
import { hasDigest } from './body-digest.ts'
import type { Invoice } from './invoice.ts'

/** What an invoice is held to before a wallet is asked. */
export interface GuardFacts {
  readonly invoice: Invoice
  /** The profile's. */
  readonly network: 'bitcoin' | 'regtest'
  /** Unix ms, by this machine. */
  readonly now: number
  /** Some record of this payment hash was paid, or may have been; or of this challenge. */
  readonly paidBefore: boolean
  /** What was asked for, where the invoice is for an amount of the caller's own choice. */
  readonly expectedMsat?: bigint
  /** Of a request: how the service asked. */
  readonly asked?: {
    readonly status: number
    /** A request with a proof of payment: what is asked then is a second payment. */
    readonly proven: boolean
    /** Unix ms, by the answer's Date. */
    readonly date?: number
    readonly challenge: Pick<PaymentChallenge, 'stated' | 'expiresAt' | 'digest'>
    readonly body: Uint8Array
    /** The listing's price and what a satoshi is worth, both in pico-USD; the price is not checked where either is unknown. */
    readonly listed?: bigint
    readonly picoUsdPerSat?: bigint
  }
}

export interface Guarded {
  readonly amountMsat: bigint
  /** Unix ms by this machine's clock: the earlier of the invoice's end and the challenge's, as the service's clock has them. */
  readonly expiresAt: number
  /** Whether the listing's price was held against it. */
  readonly price: 'checked' | 'not-checked'
}

/** A payment needs its time on the way. */
const LEAST_LEFT_MS = 30_000
/** What is off by more is no clock, and changes nothing. */
const MOST_SKEW_MS = 24 * 3_600_000
const MSAT = 1000n
/** The rate drifts between the listing and the invoice. */
const TOLERANCE_PERCENT = 5n
const TOLERANCE_MSAT = 2n * MSAT
const networkNames = new Map([
  ['mainnet', 'bitcoin'],
  ['bitcoin', 'bitcoin'],
  ['bc', 'bitcoin'],
])

/**
 * All that must hold before a payment, of the decoded invoice and never of what stands beside it, which has to agree.
 * Everything but `now` and `network` is the service's word, and the first rule that is broken refuses.
 * Throws payment/invoice-invalid, payment/wrong-network, payment/no-amount, payment/wrong-amount, payment/above-listing,
 * payment/wrong-hash, payment/wrong-digest, payment/expired, payment/already-paid, service/challenge-invalid.
 */
export function guardInvoice(facts: GuardFacts): Guarded {
  const { invoice, network, asked, expectedMsat } = facts
  const { amountMsat } = invoice
  // A 401 or a 200 that carries a challenge asks for nothing that may be paid.
  if (asked && asked.status !== 402)
    throw refusal('service/challenge-invalid', msg('The response status isn’t 402 Payment Required.'))
  if (asked?.proven === true) throw refusal('payment/already-paid')
  if (facts.paidBefore) throw refusal('payment/already-paid')

  if (invoice.network !== network)
    throw refusal(
      'payment/wrong-network',
      msg('The invoice’s network is {network}.', { network: invoice.network }),
    )
  if (amountMsat === null) throw refusal('payment/no-amount')
  if (amountMsat <= 0n) throw refusal('payment/no-amount', msg('The invoice amount is zero.'))
  if (expectedMsat !== undefined && expectedMsat !== amountMsat) throw refusal('payment/wrong-amount')
  const price = asked ? holdToChallenge(asked, invoice, amountMsat) : 'not-checked'
  const expiresAt = endOf(facts)
  if (expiresAt - facts.now < LEAST_LEFT_MS) throw refusal('payment/expired')
  return { amountMsat, expiresAt, price }
}

/** Enough time is left, by what guardInvoice found. Throws payment/expired. */
export function requireTime(expiresAt: number, now: number): void {
  if (expiresAt - now < LEAST_LEFT_MS) throw refusal('payment/expired')
}

function holdToChallenge(
  asked: NonNullable<GuardFacts['asked']>,
  invoice: Invoice,
  amountMsat: bigint,
): Guarded['price'] {
  const { stated, digest } = asked.challenge
  const named = stated.network?.toLowerCase()
  if (named !== undefined && (networkNames.get(named) ?? named) !== invoice.network)
    throw refusal('payment/wrong-network', msg('The service’s stated network doesn’t match the invoice.'))
  if (stated.amountSat !== undefined && !isRounded(BigInt(stated.amountSat), amountMsat))
    throw refusal('payment/wrong-amount')
  if (stated.paymentHash !== undefined && stated.paymentHash !== invoice.paymentHash)
    throw refusal('payment/wrong-hash')
  if (digest !== undefined && !hasDigest(asked.body, digest)) throw refusal('payment/wrong-digest')

  const { listed, picoUsdPerSat } = asked
  if (listed === undefined || picoUsdPerSat === undefined || picoUsdPerSat <= 0n) return 'not-checked'
  const listedMsat = (listed * MSAT + picoUsdPerSat - 1n) / picoUsdPerSat
  if (amountMsat > listedMsat + (listedMsat * TOLERANCE_PERCENT) / 100n + TOLERANCE_MSAT)
    throw refusal('payment/above-listing')
  return 'checked'
}

/** Whether so many satoshis are the amount, rounded up or down to a whole satoshi. */
function isRounded(sat: bigint, amountMsat: bigint): boolean {
  return sat === amountMsat / MSAT || sat === (amountMsat + MSAT - 1n) / MSAT
}

/** Where the two clocks differ, an end that the service named is moved by as much: what counts is how much time is left. */
function endOf({ invoice, now, asked }: GuardFacts): number {
  const end = Math.min(invoice.expiresAt, asked?.challenge.expiresAt ?? Infinity)
  const skew = asked?.date === undefined ? 0 : asked.date - now
  return Math.abs(skew) > MOST_SKEW_MS ? end : end - skew
}

function refusal(code: ErrorCode, detail?: LocalizedText): SottoError {
  return new SottoError(code, detail === undefined ? {} : { detail })
}
