import { bech32 } from '@scure/base'
import {
  integer,
  small,
  smallOrNull,
  text,
  textOrNull,
  type LedgerDatabase,
  type Row,
} from '../ledger/database.ts'

/** The facts of an invoice that a wallet needs to pay it. */
export interface PayableInvoice {
  readonly invoice: string
  /** 64 hex digits. */
  readonly paymentHash: string
  readonly amountMsat: bigint
}

const msatPer: Readonly<Record<string, bigint>> = { m: 100_000_000n, u: 100_000n, n: 100n }
const signatureWords = 104
const timestampWords = 7
const paymentHashTag = 1

/** Reads an invoice (BOLT 11) of regtest. @returns undefined for anything else, and for one without an amount in whole msat */
export function readPayable(text: string): PayableInvoice | undefined {
  const invoice = text.toLowerCase()
  const { digits, unit } = /^lnbcrt(?<digits>[1-9]\d*)(?<unit>[munp]?)1/.exec(invoice)?.groups ?? {}
  if (digits === undefined || unit === undefined) return undefined
  const amount = BigInt(digits) * (unit === '' ? 100_000_000_000n : (msatPer[unit] ?? 1n))
  const paymentHash = paymentHashOf(invoice)
  if (paymentHash === undefined || (unit === 'p' && amount % 10n !== 0n)) return undefined
  return { invoice, paymentHash, amountMsat: unit === 'p' ? amount / 10n : amount }
}

function paymentHashOf(invoice: string): string | undefined {
  const decoded = bech32.decodeUnsafe(invoice, false)
  if (!decoded) return undefined
  const dataWords = decoded.words.slice(timestampWords, -signatureWords)
  for (let at = 0; at + 3 <= dataWords.length;) {
    const [tag, high = 0, low = 0] = dataWords.slice(at, at + 3)
    const value = dataWords.slice(at + 3, at + 3 + high * 32 + low)
    if (tag === paymentHashTag && value.length === 52)
      return Buffer.from(bech32.fromWords(value)).toString('hex')
    at += 3 + high * 32 + low
  }
  return undefined
}

export interface WalletPayment {
  readonly paymentHash: string
  readonly invoice: string
  /** The wallet's connection that requested it. */
  readonly connection: string
  readonly amountMsat: bigint
  readonly feeMsat: bigint
  /** `accepted`: the money is locked. */
  readonly state: 'pending' | 'accepted' | 'settled' | 'failed'
  readonly preimage: string | null
  /** How often it was asked to pay this invoice. */
  readonly asked: number
  /** Unix ms. */
  readonly createdAt: number
  readonly settledAt: number | null
}

/** The wallet's payments, stored with the ledger. Pending payments count as spent. */
export class WalletPayments {
  readonly #db: LedgerDatabase

  constructor(db: LedgerDatabase) {
    this.#db = db
  }

  /** Payments that were pending when the sandbox ended are returned. */
  recover(): void {
    this.#db
      .statement("UPDATE wallet_payment SET state = 'failed' WHERE state IN ('pending', 'accepted')")
      .run()
  }

  find(paymentHash: string): WalletPayment | undefined {
    const row = this.#db.statement('SELECT * FROM wallet_payment WHERE payment_hash = ?').get(paymentHash)
    return row && paymentOf(row)
  }

  list(): WalletPayment[] {
    return this.#db.statement('SELECT * FROM wallet_payment ORDER BY created_at, rowid').all().map(paymentOf)
  }

  /** Notes that it was asked. @returns the state it was in before, if it was known */
  ask(
    { invoice, paymentHash, amountMsat }: PayableInvoice,
    connection: string,
    now: number,
  ): WalletPayment['state'] | undefined {
    const before = this.find(paymentHash)?.state
    this.#db
      .statement(
        `
      INSERT INTO wallet_payment (payment_hash, invoice, connection, amount_msat, fee_msat, state, asked, created_at) VALUES (?, ?, ?, ?, 0, 'failed', 1, ?)
      ON CONFLICT (payment_hash) DO UPDATE SET asked = asked + 1`,
      )
      .run(paymentHash, invoice, connection, amountMsat, now)
    return before
  }

  move(paymentHash: string, state: 'pending' | 'accepted' | 'failed'): void {
    this.#db
      .statement("UPDATE wallet_payment SET state = ? WHERE payment_hash = ? AND state <> 'settled'")
      .run(state, paymentHash)
  }

  settle(paymentHash: string, preimage: string, feeMsat: bigint, now: number): void {
    this.#db
      .statement(
        "UPDATE wallet_payment SET state = 'settled', preimage = ?, fee_msat = ?, settled_at = ? WHERE payment_hash = ?",
      )
      .run(preimage, feeMsat, now, paymentHash)
  }

  /** msat, with fees, of all connections or one. @param since Unix ms */
  spent(connection?: string, since = 0): bigint {
    const row = this.#db
      .statement(
        `
      SELECT coalesce(sum(amount_msat + fee_msat), 0) AS msat FROM wallet_payment WHERE state <> 'failed' AND created_at >= ? AND (connection = ? OR ? IS NULL)`,
      )
      .get(since, connection ?? null, connection ?? null)
    return row ? integer(row, 'msat') : 0n
  }
}

function paymentOf(row: Row): WalletPayment {
  const state = text(row, 'state')
  if (state !== 'pending' && state !== 'accepted' && state !== 'settled' && state !== 'failed')
    throw new TypeError('a payment of another form in the sandbox ledger')
  return {
    paymentHash: text(row, 'payment_hash'),
    invoice: text(row, 'invoice'),
    connection: text(row, 'connection'),
    amountMsat: integer(row, 'amount_msat'),
    feeMsat: integer(row, 'fee_msat'),
    state,
    preimage: textOrNull(row, 'preimage'),
    asked: small(row, 'asked'),
    createdAt: small(row, 'created_at'),
    settledAt: smallOrNull(row, 'settled_at'),
  }
}
