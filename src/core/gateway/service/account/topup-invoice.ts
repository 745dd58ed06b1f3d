import { z } from 'zod'
import { bolt11Schema } from '../../../../shared/payment-challenge.ts'
import type { topupStates } from '../../../../shared/topup.ts'
import { currency, renamed, wrapped } from '../http/shapes.ts'
import { decimal, lenient, moment, plainDecimal, text } from '../http/wire.ts'

export const topupMethods = ['btc-lightning', 'btc', 'ltc', 'lbtc', 'xmr'] as const
export const topupCurrencies = ['SATS', 'BTC', 'USD'] as const

/**
 * The state of an invoice. `paid`: the whole amount was seen; coins may still wait for confirmation.
 * `unknown`: a state that this version doesn't know.
 */
export type TopupState = (typeof topupStates)[number] | 'paid'

/**
 * A top-up invoice. Amounts are decimal text without exponent: in the requested `currency`, or in the coin if
 * the name has `crypto`. The service controls all of it. The payer decodes and checks the invoice or the
 * address.
 */
export interface TopupInvoice {
  readonly id: string
  readonly state?: TopupState | undefined
  /** The service's state means that money arrived, whatever the amounts are. */
  readonly money?: true | undefined
  readonly amount?: string | undefined
  readonly currency?: string | undefined
  /** Unix ms. */
  readonly createdAt?: number | undefined
  readonly expiresAt?: number | undefined
  readonly lightningInvoice?: string | undefined
  readonly paymentAddress?: string | undefined
  /** A page of the payment's processor: untrusted, and opened only at the user's request. */
  readonly checkoutUrl?: string | undefined
  readonly cryptoAmountDue?: string | undefined
  /**
   * The received amount, and the amount due. The service has been seen to state both in the coin, which no
   * document specifies.
   */
  readonly amountPaid?: string | undefined
  readonly amountDue?: string | undefined
}

export const invoiceIdSchema = z.string().regex(/^[\w-]{1,100}$/)

const plain = decimal.transform((value) => plainDecimal(value))
/** A state, and whether its name means that money arrived although the state doesn't. */
type Word = readonly [TopupState, 'money'?]
/**
 * The states of BTCPay Server's old and new interfaces, without case and separators. The service's invoices
 * have its IDs. A partly paid invoice remains open.
 */
const stateOfWord: ReadonlyMap<string, Word> = new Map(
  Object.entries<Word>({
    new: ['new'],
    pending: ['new'],
    unpaid: ['new'],
    processing: ['processing'],
    paid: ['paid'],
    confirmed: ['settled'],
    complete: ['settled'],
    completed: ['settled'],
    settled: ['settled'],
    paidover: ['settled', 'money'],
    overpaid: ['settled', 'money'],
    paidpartial: ['new', 'money'],
    partiallypaid: ['new', 'money'],
    partial: ['new', 'money'],
    underpaid: ['new', 'money'],
    expired: ['expired'],
    paidlate: ['expired', 'money'],
    expiredpaidpartial: ['expired', 'money'],
    expiredpaidlate: ['expired', 'money'],
    invalid: ['invalid'],
    refunded: ['refunded', 'money'],
    refund: ['refunded', 'money'],
    replaced: ['replaced'],
  }),
)
const word = text(40).transform(
  (value): Word => stateOfWord.get(value.toLowerCase().replaceAll(/[^a-z]/g, '')) ?? ['unknown'],
)

/** Members as observed (service-observed, Top-up). */
const invoiceSchema = z
  .object({
    invoice_id: invoiceIdSchema,
    status: lenient(word),
    additional_status: lenient(word),
    amount: lenient(plain),
    currency: lenient(currency),
    created_at: lenient(moment),
    expires_at: lenient(moment),
    lightning_invoice: lenient(z.string().toLowerCase().pipe(bolt11Schema)),
    payment_address: lenient(z.string().regex(/^[A-Za-z0-9]{20,200}$/)),
    checkout_url: lenient(text(2000).regex(/^(?:https:\/\/|http:\/\/127\.0\.0\.1[:/])[\x21-\x7e]+$/)),
    crypto_amount_due: lenient(plain),
    amount_paid: lenient(plain),
    amount_due: lenient(plain),
  })
  .transform(({ status, additional_status: more, ...invoice }): TopupInvoice => ({
    id: invoice.invoice_id,
    state: status?.[0],
    ...((status?.[1] ?? more?.[1]) !== undefined && { money: true }),
    amount: invoice.amount,
    currency: invoice.currency,
    createdAt: invoice.created_at,
    expiresAt: invoice.expires_at,
    lightningInvoice: invoice.lightning_invoice,
    paymentAddress: invoice.payment_address,
    checkoutUrl: invoice.checkout_url,
    cryptoAmountDue: invoice.crypto_amount_due,
    amountPaid: invoice.amount_paid,
    amountDue: invoice.amount_due,
  }))

/** The invoice in an answer. */
export const topupInvoiceSchema = wrapped(renamed(invoiceSchema, { invoice_id: ['id', '_id'] }))
