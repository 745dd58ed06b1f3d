import type { SandboxWalletFault } from '../../shared/sandbox-wallet-faults.ts'
import type { Paid } from '../control.ts'
import type { LedgerDatabase } from '../ledger/database.ts'
import { provesPayment } from '../payment/lightning-node.ts'
import { readPayable, WalletPayments, type WalletPayment } from './payments.ts'
import { failed, type WalletAnswer, type WalletRequest } from './wallet-service.ts'

/** A right to spend from the wallet. */
export interface Spender {
  readonly name: string
  /** msat in a calendar month (UTC). */
  readonly budgetMsat: bigint
}

/** The source of the money: it pays invoices, and has a balance. */
export interface Funds {
  /** msat. @param spent by the wallet so far, and on its way */
  balance(spent: bigint): bigint
  /** The additional fee for a payment of this amount, msat. */
  fee(amountMsat: bigint): bigint
  pay(invoice: string, amountMsat: bigint): Promise<Paid & { readonly feeMsat?: bigint }>
}

const slowMs = 5000

/** The fault of the simulated wallet: at most one at a time. */
export class WalletFaults {
  #fault: SandboxWalletFault | null = null
  readonly #waiting = new Set<() => void>()

  get now(): SandboxWalletFault | null {
    return this.#fault
  }

  set(fault: SandboxWalletFault | null): void {
    this.#fault = fault
    for (const go of this.#waiting) go()
    this.#waiting.clear()
  }

  /** Resolves when the fault changes or ends. */
  lifted(): Promise<void> {
    return new Promise((resolve) => this.#waiting.add(resolve))
  }
}

/** Executes the requests to the wallet (NIP-47), with its simulated fault. */
export class Purse {
  readonly payments: WalletPayments
  readonly #db: LedgerDatabase
  readonly #funds: Funds
  readonly #faults: WalletFaults
  readonly #now: () => number

  constructor(db: LedgerDatabase, funds: Funds, faults: WalletFaults, now: () => number) {
    this.payments = new WalletPayments(db)
    this.#db = db
    this.#funds = funds
    this.#faults = faults
    this.#now = now
    this.payments.recover()
  }

  balance(): bigint {
    return this.#funds.balance(this.payments.spent())
  }

  budget({ name, budgetMsat }: Spender): WalletAnswer {
    const at = new Date(this.#now())
    const next = Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1)
    return {
      result: {
        used_budget: Number(this.#usedBy(name)),
        total_budget: Number(budgetMsat),
        renews_at: next / 1000,
        renewal_period: 'monthly',
      },
    }
  }

  lookUp(params: Extract<WalletRequest, { method: 'lookup_invoice' }>['params']): WalletAnswer {
    const paymentHash =
      params.payment_hash ??
      (params.invoice === undefined ? undefined : readPayable(params.invoice)?.paymentHash)
    const payment =
      paymentHash === undefined || this.#faults.now === 'forgetful'
        ? undefined
        : this.payments.find(paymentHash)
    return payment ? { result: transactionOf(payment) } : failed('NOT_FOUND', 'no such payment')
  }

  /** @returns undefined if it sends no response */
  async pay(
    params: Extract<WalletRequest, { method: 'pay_invoice' }>['params'],
    spender: Spender,
  ): Promise<WalletAnswer | undefined> {
    if (this.#faults.now === 'silent') return undefined
    if (params.amount !== undefined) return failed('OTHER', 'the invoice has an amount, so none can be given')
    const payable = readPayable(params.invoice)
    if (!payable) return failed('OTHER', 'invalid invoice')
    const { paymentHash, amountMsat } = payable
    const before = this.payments.ask(payable, spender.name, this.#now())
    if (before !== undefined && before !== 'failed')
      return failed('OTHER', 'this invoice is already paid or being paid')
    const most = amountMsat + this.#funds.fee(amountMsat)
    if (this.#faults.now === 'insufficient-balance' || most > this.balance())
      return failed('INSUFFICIENT_BALANCE', 'the wallet’s balance is too low')
    if (this.#faults.now === 'quota' || this.#usedBy(spender.name) + most > spender.budgetMsat)
      return failed('QUOTA_EXCEEDED', 'the budget of this connection is used up')
    if (this.#faults.now === 'payment-failed') return failed('PAYMENT_FAILED', 'no route')
    this.payments.move(paymentHash, 'pending')
    if (this.#faults.now === 'slow') await new Promise((resolve) => setTimeout(resolve, slowMs))
    if (this.#faults.now === 'held') {
      this.payments.move(paymentHash, 'accepted')
      await this.#faults.lifted()
    }
    return this.#db.isOpen ? this.#settle(payable.invoice, paymentHash, amountMsat) : undefined
  }

  async #settle(invoice: string, paymentHash: string, amountMsat: bigint): Promise<WalletAnswer | undefined> {
    const paid = await this.#funds.pay(invoice, amountMsat)
    if (!('preimage' in paid) || !provesPayment(paid.preimage, paymentHash)) {
      this.payments.move(paymentHash, 'failed')
      return failed(
        'PAYMENT_FAILED',
        'failed' in paid ? `the invoice is ${paid.failed}` : 'the recipient returned no valid preimage',
      )
    }
    const fee = paid.feeMsat ?? this.#funds.fee(amountMsat)
    this.payments.settle(paymentHash, paid.preimage, fee, this.#now())
    const fault = this.#faults.now
    if (fault === 'late-reply') await this.#faults.lifted()
    if (fault === 'lost-reply') return undefined
    const preimage =
      fault === 'empty-preimage' ? '' : fault === 'wrong-preimage' ? '00'.repeat(32) : paid.preimage
    return { result: { preimage, fees_paid: Number(fee) } }
  }

  #usedBy(name: string): bigint {
    const at = new Date(this.#now())
    return this.payments.spent(name, Date.UTC(at.getUTCFullYear(), at.getUTCMonth()))
  }
}

function transactionOf({
  state,
  invoice,
  preimage,
  paymentHash,
  amountMsat,
  feeMsat,
  createdAt,
  settledAt,
}: WalletPayment): Readonly<Record<string, unknown>> {
  return {
    type: 'outgoing',
    state,
    invoice,
    description: '',
    description_hash: '',
    preimage: preimage ?? '',
    payment_hash: paymentHash,
    amount: Number(amountMsat),
    fees_paid: Number(feeMsat),
    created_at: Math.floor(createdAt / 1000),
    ...(settledAt !== null && { settled_at: Math.floor(settledAt / 1000) }),
  }
}
