import {
  integer,
  small,
  smallOrNull,
  text,
  textOrNull,
  type LedgerDatabase,
  type Row,
} from '../ledger/database.ts'
import type { Accounts } from '../ledger/accounts.ts'
import { alphanumerics, type RandomBytes } from '../random.ts'
import { testAddress } from './addresses.ts'
import { unitsFor, topupMethods, type Currency, type TopupMethod } from './methods.ts'
import type { InvoiceSource } from './lightning-node.ts'
import { day } from '../profile.ts'

export type TopupStatus = 'New' | 'Settled' | 'Expired'

export interface Topup {
  readonly invoiceId: string
  readonly creditId: string
  readonly method: TopupMethod
  readonly amount: number
  readonly currency: Currency
  /** The amount that it credits to the account, 10^-12 USD. */
  readonly picoUsd: bigint
  /** In the coin's smallest unit. */
  readonly unitsDue: bigint
  readonly unitsPaid: bigint
  /** BOLT 11, or an address. */
  readonly destination: string
  readonly paymentHash: string | null
  readonly status: TopupStatus
  /** Unix ms. */
  readonly createdAt: number
  readonly expiresAt: number
}

/** Observed: some three days after it expired an invoice is not found any more. */
const retentionMs = 3 * day

/** Top-up invoices. Each settles once, before it expires, and credits its amount to the account. */
export class Topups {
  readonly #db: LedgerDatabase
  readonly #accounts: Accounts
  readonly #node: InvoiceSource
  readonly #random: RandomBytes

  constructor(db: LedgerDatabase, accounts: Accounts, node: InvoiceSource, random: RandomBytes) {
    this.#db = db
    this.#accounts = accounts
    this.#node = node
    this.#random = random
  }

  /** @param picoUsd the value of the amount */
  create(
    creditId: string,
    method: TopupMethod,
    asked: { readonly amount: number; readonly currency: Currency },
    picoUsd: bigint,
    now: number,
  ): Topup {
    const unitsDue = unitsFor(method.coin, picoUsd)
    const issued =
      method.method === 'btc-lightning'
        ? this.#node.invoice(unitsDue, 'Sotto sandbox top-up', now, method.expirySeconds)
        : undefined
    const destination =
      issued?.invoice ?? testAddress(method.method === 'btc-lightning' ? 'btc' : method.method, this.#random)
    const invoiceId = alphanumerics(this.#random, 22)
    this.#db
      .statement(
        `
      INSERT INTO topup (invoice_id, credit_id, method, amount, currency, pico_usd, units_due, destination, payment_hash, preimage, created_at, expires_at)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      )
      .run(
        invoiceId,
        creditId,
        method.method,
        asked.amount,
        asked.currency,
        picoUsd,
        unitsDue,
        destination,
        issued?.paymentHash ?? null,
        issued?.preimage ?? null,
        now,
        now + method.expirySeconds * 1000,
      )
    const topup = this.find(invoiceId, now)
    if (!topup) throw new Error('the new top-up is missing')
    return topup
  }

  find(invoiceId: string, now: number): Topup | undefined {
    const row = this.#db.statement('SELECT * FROM topup WHERE invoice_id = ?').get(invoiceId)
    const topup = row && topupOf(row, now)
    return topup && (topup.status !== 'Expired' || now < topup.expiresAt + retentionMs) ? topup : undefined
  }

  /** Whether a preimage is that of this invoice's payment hash is for the caller to judge. @returns why not, if not */
  settle(invoiceId: string, now: number): 'settled' | 'expired' | 'paid' | undefined {
    return this.#db.atomically(() => {
      const topup = this.find(invoiceId, now)
      if (!topup) return undefined
      if (topup.status === 'Settled') return 'paid'
      if (topup.status === 'Expired') return 'expired'
      this.#db
        .statement(
          'UPDATE topup SET settled_at = ?, units_paid = max(units_paid, units_due) WHERE invoice_id = ?',
        )
        .run(now, invoiceId)
      this.#accounts.deposit(topup.creditId, topup.picoUsd, `topup:${invoiceId}`, now)
      return 'settled'
    })
  }

  /**
   * An amount arrives at the address, in the coin's smallest unit. A part leaves the top-up open, and the
   * whole amount settles it. A late payment is reported and added to no account.
   */
  receive(invoiceId: string, units: bigint, now: number): TopupStatus | undefined {
    return this.#db.atomically(() => {
      this.#db
        .statement('UPDATE topup SET units_paid = units_paid + ? WHERE invoice_id = ?')
        .run(units, invoiceId)
      const topup = this.find(invoiceId, now)
      if (topup?.status === 'New' && topup.unitsPaid >= topup.unitsDue) this.settle(invoiceId, now)
      return this.find(invoiceId, now)?.status
    })
  }

  /** The node received the payment, whatever wallet paid it. */
  settlePaid(paymentHash: string, now: number): void {
    const row = this.#db.statement('SELECT invoice_id FROM topup WHERE payment_hash = ?').get(paymentHash)
    if (row) this.settle(text(row, 'invoice_id'), now)
  }

  /**
   * Simulates the wallet. @returns the preimage, or the reason why the invoice can't be paid; undefined for
   * an unknown invoice
   */
  pay(invoice: string, now: number): { readonly preimage: string } | 'expired' | 'paid' | undefined {
    const row = this.#db
      .statement('SELECT invoice_id, preimage FROM topup WHERE destination = ? AND preimage IS NOT NULL')
      .get(invoice)
    if (!row) return undefined
    const settled = this.settle(text(row, 'invoice_id'), now)
    return settled === 'settled' ? { preimage: text(row, 'preimage') } : settled
  }

  /** Lets an open invoice run out at once. */
  expire(invoiceId: string, now: number): void {
    this.#db
      .statement('UPDATE topup SET expires_at = ? WHERE invoice_id = ? AND settled_at IS NULL')
      .run(now, invoiceId)
  }
}

function topupOf(row: Row, now: number): Topup {
  const [name, currency] = [text(row, 'method'), text(row, 'currency')]
  const method = topupMethods.find((known) => known.method === name)
  const { amount } = row
  if (
    !method ||
    typeof amount !== 'number' ||
    (currency !== 'USD' && currency !== 'BTC' && currency !== 'SATS')
  )
    throw new TypeError('a top-up in the sandbox ledger has an unknown form')
  const expiresAt = small(row, 'expires_at')
  const unpaid = now < expiresAt ? 'New' : 'Expired'
  return {
    invoiceId: text(row, 'invoice_id'),
    creditId: text(row, 'credit_id'),
    method,
    amount,
    currency,
    picoUsd: integer(row, 'pico_usd'),
    unitsDue: integer(row, 'units_due'),
    unitsPaid: integer(row, 'units_paid'),
    destination: text(row, 'destination'),
    paymentHash: textOrNull(row, 'payment_hash'),
    status: smallOrNull(row, 'settled_at') === null ? unpaid : 'Settled',
    createdAt: small(row, 'created_at'),
    expiresAt,
  }
}
