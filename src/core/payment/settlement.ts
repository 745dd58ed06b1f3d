import type { ErrorCode } from '../../shared/error-codes.ts'
import { readInvoice } from './invoice.ts'
import type { LightningWallet, LookedUp, PaymentOutcome } from './lightning-wallet.ts'
import { isPaid, isUncertain, type PaymentEvent } from './payment-state.ts'
import type { Records } from './records.ts'

/** A wallet that has not answered by then is asked what it knows, while it is still waited for. */
const PATIENCE_MS = 20_000
const LOOK_UP_DELAYS_MS = [0, 1000, 2000, 5000, 10_000, 20_000, 30_000]
const LATER_DELAY_MS = 60_000
const MUCH_LATER_DELAY_MS = 5 * 60_000
/** So many rounds take about an hour. */
const LATER_ROUNDS = 65
/** For so long after the end of an invoice a wallet has to know of nothing, before that counts. */
const GRACE_MS = 10 * 60_000

export interface SettlementOptions {
  readonly records: Records
  readonly wallet: () => LightningWallet | null
  readonly now: () => number
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>
  /** The wallet refused, failed, or did not say. */
  readonly onWalletError: () => void
  readonly onPaid: (id: string) => void
  readonly closed: AbortSignal
}

/** One payment that a wallet was asked for, until it's paid or can no longer be proven. */
interface Course {
  /** The wallet's own answer is still waited for. */
  asking: boolean
  /** An answer of the wallet without a proof. It's written after the first lookup, so that no caller gets it before. */
  open?: PaymentEvent
  /** The reason that the wallet gave for its refusal. */
  refusal?: ErrorCode
  /** Ends the wait for later answers of the wallet. */
  readonly over: AbortController
  /** What was learnt and could not be written. */
  unwritten?: PaymentEvent
  /** Unix ms of when the wallet first knew nothing of a payment that had run out. */
  nothingSince?: number
  woken: AbortController
}

/**
 * Asks a wallet for a payment, once, and then looks up its outcome until it's paid or its time is over. Only an answer of the
 * wallet, or silence long after the invoice ran out, makes a payment one that failed. A proof counts after that too.
 */
export class Settlement {
  readonly #options: SettlementOptions
  readonly #courses = new Map<string, Promise<void>>()

  constructor(options: SettlementOptions) {
    this.#options = options
  }

  /** The record says `paying` by now, and outlives this machine's power. */
  ask(id: string, invoice: string, wallet: LightningWallet): void {
    const { closed } = this.#options
    const course: Course = { asking: true, woken: new AbortController(), over: new AbortController() }
    const learnt = (outcome: PaymentOutcome): void => {
      course.asking = false
      // Sotto is closing, and the next start looks the payment up; or a lookup has settled it.
      if (outcome.outcome === 'unknown' && (closed.aborted || course.over.signal.aborted)) return
      if (outcome.outcome !== 'paid') this.#options.onWalletError()
      this.#answered(id, course, outcome)
      course.woken.abort()
    }
    const { expiresAt } = this.#options.records.of(id)
    wallet
      .pay(invoice, {
        expiresAt: endOf(invoice),
        sendBefore: expiresAt,
        signal: AbortSignal.any([closed, course.over.signal]),
        onLater: (proof) => {
          this.#note(id, course, { type: 'settled', ...proof, at: this.#options.now() })
          course.woken.abort()
        },
      })
      .then(learnt, () => learnt({ outcome: 'unknown' }))
    this.#begin(id, course)
  }

  /** Follows a payment that a wallet was asked for before this start, if it can still become known or proven. */
  resume(id: string): void {
    if (this.#isOver(id)) return
    const course: Course = { asking: false, woken: new AbortController(), over: new AbortController() }
    this.#note(id, course, { type: 'unresolved' })
    this.#begin(id, course)
  }

  /** Once everything that was under way when it was closed has ended. */
  async idle(): Promise<void> {
    await Promise.all(this.#courses.values())
  }

  #begin(id: string, course: Course): void {
    if (!this.#courses.has(id))
      this.#courses.set(
        id,
        this.#follow(id, course).finally(() => this.#courses.delete(id)),
      )
  }

  async #follow(id: string, course: Course): Promise<void> {
    const { records, onPaid } = this.#options
    try {
      for (let round = 0; await this.#pause(id, course, round); round++) {
        if (course.unwritten) this.#note(id, course, course.unwritten)
        if (!this.#isOver(id)) await this.#lookUp(id, course)
        if (!this.#isOver(id)) continue
        if (records.of(id).state === 'paid') onPaid(id)
        return
      }
    } catch {
      // A store that can't be read: the next start asks again.
    } finally {
      course.over.abort()
    }
  }

  async #lookUp(id: string, course: Course): Promise<void> {
    const { wallet: publicKey, paymentHash } = this.#options.records.of(id)
    // Another wallet knows nothing of it, which would prove nothing.
    const wallet = this.#options.wallet()
    if (wallet?.publicKey !== publicKey || !wallet?.canLookUp) {
      this.#withoutLookup(id, course)
      return
    }
    this.#learn(
      id,
      course,
      await wallet
        .lookUp(paymentHash, this.#options.closed)
        .catch((): LookedUp => ({ state: 'unreachable' })),
    )
    this.#writeOpen(id, course)
  }

  #answered(id: string, course: Course, outcome: PaymentOutcome): void {
    switch (outcome.outcome) {
      case 'paid':
        return this.#note(id, course, {
          type: 'settled',
          preimage: outcome.preimage,
          at: this.#options.now(),
          ...(outcome.feeMsat !== undefined && { feeMsat: outcome.feeMsat }),
        })
      case 'not-paid':
        return this.#note(id, course, {
          type: 'not-paid',
          code: outcome.code,
          ...(outcome.detail !== undefined && { detail: outcome.detail }),
        })
      case 'refused':
        course.refusal = outcome.code
        course.open = { type: 'refused' }
        return
      case 'unknown':
        course.open = { type: 'unresolved' }
    }
  }

  /** Writes the wallet's answer without a proof, unless a lookup has settled the payment. */
  #writeOpen(id: string, course: Course): void {
    if (course.open && this.#options.records.of(id).state === 'paying') this.#note(id, course, course.open)
    if (!course.asking) delete course.open
  }

  /** Nothing can be looked up: a refusal counts when the invoice has ended and the wallet has had time to settle what it holds. */
  #withoutLookup(id: string, course: Course): void {
    this.#writeOpen(id, course)
    if (course.refusal !== undefined && this.#options.now() - this.#endOf(id) >= GRACE_MS)
      this.#note(id, course, { type: 'not-paid', code: course.refusal })
  }

  /** By whichever clock it ends later: this machine's may be ahead of the one that the invoice was made by. */
  #endOf(id: string): number {
    const { invoice, expiresAt } = this.#options.records.of(id)
    return Math.max(endOf(invoice), expiresAt)
  }

  /** The moment (Unix ms) from which a payment that failed, or that a person closed, can no longer be proven by the wallet. */
  #heardUntil(id: string): number {
    return this.#endOf(id) + GRACE_MS
  }

  /** A proof counts whenever it comes, so a payment without one is over only when the wallet has had time to settle what it holds. */
  #isOver(id: string): boolean {
    const { state } = this.#options.records.of(id)
    return isPaid(state) || (!isUncertain(state) && this.#options.now() >= this.#heardUntil(id))
  }

  #learn(id: string, course: Course, looked: LookedUp): void {
    const { now } = this.#options
    if (looked.state !== 'not-found' && looked.state !== 'expired') delete course.nothingSince
    switch (looked.state) {
      case 'settled': {
        const { preimage = '', feeMsat } = looked
        // Some say settled with nothing to show for it while the payment is on its way.
        return this.#note(id, course, {
          type: 'settled',
          preimage,
          at: now(),
          ...(feeMsat !== undefined && { feeMsat }),
        })
      }
      case 'held':
        return this.#note(id, course, { type: 'held' })
      case 'failed':
        // While it is still being asked, it may be about to try another way.
        return course.asking
          ? undefined
          : this.#note(id, course, { type: 'not-paid', code: course.refusal ?? 'wallet/payment-failed' })
      case 'not-found':
      case 'expired': {
        if (course.asking) return
        // The wallet refused and knows of no payment: two statements that agree.
        if (course.refusal !== undefined)
          return this.#note(id, course, { type: 'not-paid', code: course.refusal })
        this.#note(id, course, { type: 'unresolved' })
        const end = this.#endOf(id)
        if (now() <= end) return
        course.nothingSince ??= now()
        if (now() - Math.max(end, course.nothingSince) >= GRACE_MS) this.#note(id, course, { type: 'gone' })
        return
      }
      case 'pending':
      case 'unreachable':
    }
  }

  /** What cannot be written is not forgotten: it is written with the next round, and before anything else. */
  #note(id: string, course: Course, event: PaymentEvent): void {
    if (course.unwritten && course.unwritten !== event) return
    try {
      this.#options.records.apply(id, event)
      delete course.unwritten
    } catch {
      course.unwritten = event
    }
  }

  /** False once this is closed. */
  async #pause(id: string, course: Course, round: number): Promise<boolean> {
    const { wait, closed } = this.#options
    const ms = this.#delayOf(id, course, round)
    try {
      if (!course.woken.signal.aborted && ms > 0)
        await wait(ms, AbortSignal.any([closed, course.woken.signal]))
    } catch {
      // Woken, or closed.
    }
    course.woken = new AbortController()
    return !closed.aborted
  }

  #delayOf(id: string, { asking }: Course, round: number): number {
    if (asking) return PATIENCE_MS
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
