import { createHash } from 'node:crypto'
import type { ErrorCode } from '../../shared/error-codes.ts'
import { SottoError } from '../../shared/errors.ts'
import type { PaymentChallenge } from '../../shared/payment-challenge.ts'
import { msg, type LocalizedText } from '../../shared/localized-text.ts'
import type { Invoice } from './invoice.ts'

/** The facts that an invoice is checked against before a wallet is asked. */
export interface GuardFacts {
  readonly invoice: Invoice
  /** The profile's network. */
  readonly network: 'bitcoin' | 'regtest'
  /** Unix ms, by this computer's clock. */
  readonly now: number
  /** A record of this payment hash or of this challenge was paid, or may have been. */
  readonly paidBefore: boolean
  /** The requested amount, if the caller chose it. */
  readonly expectedMsat?: bigint
  /** For a request: the service's demand. */
  readonly demand?: {
    readonly status: number
    /** Unix ms, from the answer's Date. */
    readonly date?: number
    readonly challenge: Pick<PaymentChallenge, 'stated' | 'expiresAt' | 'digest'>
    readonly body: Uint8Array
    /**
     * The price in the price list and the value of a satoshi, both in pico-USD. If either is unknown, the
     * price isn't checked.
     */
    readonly listed?: bigint
    readonly picoUsdPerSat?: bigint
  }
}

export interface Guarded {
  readonly amountMsat: bigint
  /**
   * Unix ms by this computer's clock: the earlier of the invoice's and the challenge's expiry, corrected by
   * the service's clock.
   */
  readonly expiresAt: number
}

/** A payment takes some time. */
const LEAST_LEFT_MS = 30_000
/** A larger difference isn't a clock error and is ignored. */
const MOST_SKEW_MS = 24 * 3_600_000
const MSAT = 1000n
/** The rate changes between the price list and the invoice. */
const TOLERANCE_PERCENT = 5n
const TOLERANCE_MSAT = 2n * MSAT
const networkNames = new Map([
  ['mainnet', 'bitcoin'],
  ['bitcoin', 'bitcoin'],
  ['bc', 'bitcoin'],
])
/** One member of a digest (RFC 9530: `sha-256=:<base64>:`), or the form of RFC 3230 without the colons. */
const DIGEST_MEMBER = /^([A-Za-z0-9-]{1,20})=(?::([\w+/-]{1,100}={0,2}):|([\w+/-]{1,100}={0,2}))$/
const digestAlgorithms = new Map([
  ['sha-256', 'sha256'],
  ['sha-512', 'sha512'],
])

/**
 * Checks everything that must hold before a payment, using the decoded invoice. The members next to the
 * invoice must match it. The service controls everything except `now` and `network`. The first violated rule
 * refuses.
 * @throws {SottoError} payment/invoice-invalid, payment/wrong-network, payment/no-amount,
 * payment/wrong-amount, payment/above-listing, payment/wrong-hash, payment/wrong-digest, payment/expired,
 * payment/already-paid, service/challenge-invalid
 */
export function guardInvoice(facts: GuardFacts): Guarded {
  const { invoice, network, demand, expectedMsat } = facts
  const { amountMsat } = invoice
  // A challenge with 401 or 200 must not be paid.
  if (demand && demand.status !== 402)
    throw refusal('service/challenge-invalid', msg('The response status isn’t 402 Payment Required.'))
  if (facts.paidBefore) throw refusal('payment/already-paid')

  if (invoice.network !== network)
    throw refusal(
      'payment/wrong-network',
      msg('The invoice’s network is {network}.', { network: invoice.network }),
    )
  if (amountMsat === null) throw refusal('payment/no-amount')
  if (amountMsat <= 0n) throw refusal('payment/no-amount', msg('The invoice amount is zero.'))
  if (expectedMsat !== undefined && expectedMsat !== amountMsat) throw refusal('payment/wrong-amount')
  if (demand) requireMatch(demand, invoice, amountMsat)
  const expiresAt = endOf(facts)
  if (expiresAt - facts.now < LEAST_LEFT_MS) throw refusal('payment/expired')
  return { amountMsat, expiresAt }
}

/**
 * Requires that enough time is left before the expiry that guardInvoice returned.
 * @throws {SottoError} payment/expired
 */
export function requireTime(expiresAt: number, now: number): void {
  if (expiresAt - now < LEAST_LEFT_MS) throw refusal('payment/expired')
}

function requireMatch(demand: NonNullable<GuardFacts['demand']>, invoice: Invoice, amountMsat: bigint): void {
  const { stated, digest } = demand.challenge
  const named = stated.network?.toLowerCase()
  if (named !== undefined && (networkNames.get(named) ?? named) !== invoice.network)
    throw refusal('payment/wrong-network', msg('The service’s stated network doesn’t match the invoice.'))
  if (stated.amountSat !== undefined && !isRounded(BigInt(stated.amountSat), amountMsat))
    throw refusal('payment/wrong-amount')
  if (stated.paymentHash !== undefined && stated.paymentHash !== invoice.paymentHash)
    throw refusal('payment/wrong-hash')
  if (digest !== undefined && !hasDigest(demand.body, digest)) throw refusal('payment/wrong-digest')

  const { listed, picoUsdPerSat } = demand
  if (listed === undefined || picoUsdPerSat === undefined || picoUsdPerSat <= 0n) return
  const listedMsat = (listed * MSAT + picoUsdPerSat - 1n) / picoUsdPerSat
  if (amountMsat > listedMsat + (listedMsat * TOLERANCE_PERCENT) / 100n + TOLERANCE_MSAT)
    throw refusal('payment/above-listing')
}

/**
 * Whether a body has the requested digest by every known algorithm (SHA-256 and SHA-512), and by at least
 * one.
 */
function hasDigest(body: Uint8Array, digest: string): boolean {
  if (digest.length > 1000) return false
  let known = 0
  for (const member of digest.split(',')) {
    const [, name = '', colons, plain] = DIGEST_MEMBER.exec(member.trim()) ?? []
    const algorithm = digestAlgorithms.get(name.toLowerCase())
    if (algorithm === undefined) continue
    known++
    if (
      !createHash(algorithm)
        .update(body)
        .digest()
        .equals(Buffer.from(colons ?? plain ?? '', 'base64'))
    )
      return false
  }
  return known > 0
}

/** Whether this number of satoshis is the amount, rounded up or down to a whole satoshi. */
function isRounded(sat: bigint, amountMsat: bigint): boolean {
  return sat === amountMsat / MSAT || sat === (amountMsat + MSAT - 1n) / MSAT
}

/**
 * Shifts an expiry that the service stated by the difference of the two clocks, so that the remaining time is
 * right.
 */
function endOf({ invoice, now, demand }: GuardFacts): number {
  const end = Math.min(invoice.expiresAt, demand?.challenge.expiresAt ?? Infinity)
  const skew = demand?.date === undefined ? 0 : demand.date - now
  return Math.abs(skew) > MOST_SKEW_MS ? end : end - skew
}

function refusal(code: ErrorCode, detail?: LocalizedText): SottoError {
  return new SottoError(code, detail === undefined ? {} : { detail })
}
