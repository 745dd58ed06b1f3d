import type { ErrorCode } from '../../shared/error-codes.ts'
import { readInvoice } from './invoice.ts'
import type { LightningWallet, LookedUp, PaymentOutcome } from './lightning-wallet.ts'
import { isPaid, isUncertain } from '../../shared/payment-record.ts'
import type { PaymentEvent } from './payment-state.ts'
import type { Records } from './records.ts'

/**
 * If a wallet hasn't answered after this time, the payment is looked up while the answer is still awaited.
 */
const TIMEOUT_MS = 20_000
const LOOK_UP_DELAYS_MS = [0, 1000, 2000, 5000, 10_000, 20_000, 30_000]
const LATER_DELAY_MS = 60_000
const MUCH_LATER_DELAY_MS = 5 * 60_000
/** This many rounds take about an hour. */
const LATER_ROUNDS = 65
/** A wallet must not know the payment for this long after the invoice's expiry, before that counts. */
const GRACE_MS = 10 * 60_000

export interface SettlementOptions {
  readonly records: Records
  readonly wallet: () => LightningWallet | null
  readonly now: () => number
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>
  /** The wallet refused, failed, or didn't answer. */
  readonly onWalletError: () => void
  readonly onPaid: (id: string) => void
  readonly closed: AbortSignal
}

/** One payment that a wallet was asked for, until it's paid or can no longer be proven. */
interface PaymentPoll {
  /** The wallet's own answer is still awaited. */
  asking: boolean
  /** An answer of the wallet without a proof. It's written after the first lookup, so that no caller gets it before. */
  open?: PaymentEvent
  /** The reason that the wallet gave for its refusal. */
  refusal?: ErrorCode
  /** Ends the wait for later answers of the wallet. */
  readonly over: AbortController
  /** A fact that couldn't be written. */
  unwritten?: PaymentEvent
  /** Unix ms of the first lookup after the expiry in which the wallet didn't know the payment. */
  nothingSince?: number
  woken: AbortController
}

/**
 * Asks a wallet for a payment, once, and then looks up its outcome until it's paid or its time is over. A
 * payment fails only by the wallet's answer, or if the wallet doesn't know it long after the invoice expired.
 * A proof counts after that too.
 */
export class Settlement {
  readonly #options: SettlementOptions
  readonly #polls = new Map<string, Promise<void>>()

  constructor(options: SettlementOptions) {
    this.#options = options
  }

  /** Asks the wallet. The record must already be `paying` on the disk. */
  ask(id: string, invoice: string, wallet: LightningWallet): void {
    const { closed } = this.#options
    const poll: PaymentPoll = { asking: true, woken: new AbortController(), over: new AbortController() }
    const learnt = (outcome: PaymentOutcome): void => {
      poll.asking = false
      // Sotto is closing, and the next start looks the payment up; or a lookup has settled it.
      if (outcome.outcome === 'unknown' && (closed.aborted || poll.over.signal.aborted)) return
      if (outcome.outcome !== 'paid') this.#options.onWalletError()
      this.#answered(id, poll, outcome)
      poll.woken.abort()
    }
    const { expiresAt } = this.#options.records.of(id)
    wallet
      .pay(invoice, {
        expiresAt: endOf(invoice),
        sendBefore: expiresAt,
        signal: AbortSignal.any([closed, poll.over.signal]),
        onLater: (proof) => {
          this.#note(id, poll, { type: 'settled', ...proof, at: this.#options.now() })
          poll.woken.abort()
        },
      })
      .then(learnt, () => learnt({ outcome: 'unknown' }))
    this.#begin(id, poll)
  }

  /**
   * Continues a payment that a wallet was asked for before this start, if it can still become known or
   * proven. A payment that is already followed just goes on.
   */
  resume(id: string): void {
    if (this.#polls.has(id) || this.#isOver(id)) return
    const poll: PaymentPoll = { asking: false, woken: new AbortController(), over: new AbortController() }
    this.#note(id, poll, { type: 'unresolved' })
    this.#begin(id, poll)
  }

  /** Resolves when everything in progress at closing has ended. */
  async idle(): Promise<void> {
    await Promise.all(this.#polls.values())
  }

  #begin(id: string, poll: PaymentPoll): void {
    if (!this.#polls.has(id))
      this.#polls.set(
        id,
        this.#follow(id, poll).finally(() => this.#polls.delete(id)),
      )
  }

  async #follow(id: string, poll: PaymentPoll): Promise<void> {
    const { records, onPaid } = this.#options
    try {
      for (let round = 0; await this.#pause(id, poll, round); round++) {
        if (poll.unwritten) this.#note(id, poll, poll.unwritten)
        if (!this.#isOver(id)) await this.#lookUp(id, poll)
        if (!this.#isOver(id)) continue
        if (records.of(id).state === 'paid') onPaid(id)
        return
      }
    } catch {
      // The store is unreadable. The next start looks it up again.
    } finally {
      poll.over.abort()
    }
  }

  async #lookUp(id: string, poll: PaymentPoll): Promise<void> {
    const { wallet: publicKey, paymentHash } = this.#options.records.of(id)
    // Another wallet doesn't know the payment, which would prove nothing.
    const wallet = this.#options.wallet()
    if (wallet?.publicKey !== publicKey || !wallet?.canLookUp) {
      this.#withoutLookup(id, poll)
      return
    }
    this.#learn(
      id,
      poll,
      await wallet
        .lookUp(paymentHash, this.#options.closed)
        .catch((): LookedUp => ({ state: 'unreachable' })),
    )
    this.#writeOpen(id, poll)
  }

  #answered(id: string, poll: PaymentPoll, outcome: PaymentOutcome): void {
    switch (outcome.outcome) {
      case 'paid':
        return this.#note(id, poll, {
          type: 'settled',
          preimage: outcome.preimage,
          at: this.#options.now(),
          ...(outcome.feeMsat !== undefined && { feeMsat: outcome.feeMsat }),
        })
      case 'not-paid':
        return this.#note(id, poll, {
          type: 'not-paid',
          code: outcome.code,
          ...(outcome.detail !== undefined && { detail: outcome.detail }),
        })
      case 'refused':
        poll.refusal = outcome.code
        poll.open = { type: 'refused' }
        return
      case 'unknown':
        poll.open = { type: 'unresolved' }
    }
  }

  /** Writes the wallet's answer without a proof, unless a lookup has settled the payment. */
  #writeOpen(id: string, poll: PaymentPoll): void {
    if (poll.open && this.#options.records.of(id).state === 'paying') this.#note(id, poll, poll.open)
    if (!poll.asking) delete poll.open
  }

  /**
   * Settles without lookups: a refusal counts when the invoice has expired and the wallet has had time to
   * settle pending payments.
   */
  #withoutLookup(id: string, poll: PaymentPoll): void {
    this.#writeOpen(id, poll)
    if (poll.refusal !== undefined && this.#options.now() - this.#endOf(id) >= GRACE_MS)
      this.#note(id, poll, { type: 'not-paid', code: poll.refusal })
  }

  /** Returns the later expiry of the two clocks, because this computer's may be ahead of the issuer's. */
  #endOf(id: string): number {
    const { invoice, expiresAt } = this.#options.records.of(id)
    return Math.max(endOf(invoice), expiresAt)
  }

  /**
   * Returns the time (Unix ms) from which the wallet can no longer prove a payment that failed or was closed.
   */
  #heardUntil(id: string): number {
    return this.#endOf(id) + GRACE_MS
  }

  /**
   * A proof counts whenever it arrives, so a payment without one is over only when the wallet has had time to
   * settle pending payments.
   */
  #isOver(id: string): boolean {
    const { state } = this.#options.records.of(id)
    return isPaid(state) || (!isUncertain(state) && this.#options.now() >= this.#heardUntil(id))
  }

  #learn(id: string, poll: PaymentPoll, looked: LookedUp): void {
    const { now } = this.#options
    if (looked.state !== 'not-found' && looked.state !== 'expired') delete poll.nothingSince
    switch (looked.state) {
      case 'settled': {
        const { preimage = '', feeMsat } = looked
        // Some wallets report settled without a preimage while the payment is in flight.
        return this.#note(id, poll, {
          type: 'settled',
          preimage,
          at: now(),
          ...(feeMsat !== undefined && { feeMsat }),
        })
      }
      case 'held':
        return this.#note(id, poll, { type: 'held' })
      case 'failed':
        // While the wallet is still being asked, it may be about to try another route.
        return poll.asking
          ? undefined
          : this.#note(id, poll, { type: 'not-paid', code: poll.refusal ?? 'wallet/payment-failed' })
      case 'not-found':
      case 'expired': {
        if (poll.asking) return
        // The wallet refused and knows no payment: two statements that agree.
        if (poll.refusal !== undefined) return this.#note(id, poll, { type: 'not-paid', code: poll.refusal })
        this.#note(id, poll, { type: 'unresolved' })
        const end = this.#endOf(id)
        if (now() <= end) return
        poll.nothingSince ??= now()
        if (now() - Math.max(end, poll.nothingSince) >= GRACE_MS) this.#note(id, poll, { type: 'gone' })
        return
      }
      case 'pending':
      case 'unreachable':
    }
  }

  /** Writes an event. If writing fails, it's retried in the next round, before any other event. */
  #note(id: string, poll: PaymentPoll, event: PaymentEvent): void {
    if (poll.unwritten && poll.unwritten !== event) return
    try {
      this.#options.records.apply(id, event)
      delete poll.unwritten
    } catch {
      poll.unwritten = event
    }
  }

  /** Returns false when this is closed. */
  async #pause(id: string, poll: PaymentPoll, round: number): Promise<boolean> {
    const { wait, closed } = this.#options
    const ms = this.#delayOf(id, poll, round)
    try {
      if (!poll.woken.signal.aborted && ms > 0) await wait(ms, AbortSignal.any([closed, poll.woken.signal]))
    } catch {
      // Woken or closed.
    }
    poll.woken = new AbortController()
    return !closed.aborted
  }

  #delayOf(id: string, { asking }: PaymentPoll, round: number): number {
    if (asking) return TIMEOUT_MS
    if (round > 0 && !isUncertain(this.#options.records.of(id).state))
      return Math.min(this.#heardUntil(id) - this.#options.now(), LATER_DELAY_MS)
    return LOOK_UP_DELAYS_MS[round] ?? (round < LATER_ROUNDS ? LATER_DELAY_MS : MUCH_LATER_DELAY_MS)
  }
}

function endOf(invoice: string): number {
  try {
    return readInvoice(invoice).expiresAt
  } catch {
    return Infinity
  }
}
