import { randomUUID } from 'node:crypto'
import { SottoError } from '../../shared/errors.ts'
import { isDue } from '../../shared/duration.ts'
import type { PaymentChallenge } from '../../shared/payment-challenge.ts'
import { sleep } from '../../shared/sleep.ts'
import { isMaking, isSettled, marksOf } from './payment-state.ts'
import { CircuitBreaker } from './circuit-breaker.ts'
import { CredentialForms } from './credential.ts'
import { Delivery } from './delivery.ts'
import { worthOf } from './exchange-rate.ts'
import { guardInvoice, requireTime } from './invoice-guard.ts'
import { provesPayment, readInvoice } from './invoice.ts'
import { isPaid, isUncertain, mayBePaid, type PaymentRecord } from '../../shared/payment-record.ts'
import type { LightningWallet } from './lightning-wallet.ts'
import type { AskReason, Asks, Payer, PayerOptions } from './payer.ts'
import { PaymentRate } from './payment-rate.ts'
import { proofText } from './proof-of-payment.ts'
import { isSimulatedTopup, questionOf } from './question.ts'
import { Records } from './records.ts'
import { Settlement } from './settlement.ts'
import { requireWithinLimits, spentInDay, spentOf } from './spending-limits.ts'

const MINUTE_MS = 60_000
/** The number of recent ended records that are searched for paid challenges. */
const LOOK_BACK = 200
/** A quote is stored this long, because a person may still pay it manually. */
const FORGET_AFTER_MS = 24 * 3_600_000
const SWEEP_EVERY_MS = 3_600_000
const SWEPT_RECORDS = 1000

/** Creates the payer for a journal. The journal's payments continue only after `resume`. */
export function createPayer(options: PayerOptions): Payer {
  const {
    journal,
    transport,
    service,
    now,
    limitClock,
    monotonic,
    wallet,
    limits,
    newId = randomUUID,
    wait = sleep,
  } = options
  const closing = new AbortController()
  const closed = closing.signal
  const records = new Records(journal)
  const breaker = new CircuitBreaker(journal, now, options.resumedAt)
  const delivery = new Delivery({
    records,
    files: options.files,
    transport,
    forms: new CredentialForms(journal),
    now,
    wait,
    closed,
  })
  const settlement = new Settlement({
    records,
    wallet,
    now,
    wait,
    closed,
    onWalletError: () => breaker.noteWalletError(),
    onPaid: (id) => deliver(id),
  })
  /** Payments in progress, from the confirmation to the answer. */
  const paying = new Map<string, Promise<void>>()
  const rate = new PaymentRate(
    monotonic,
    () => journal.reservedSince(limitClock.read().at - MINUTE_MS).length,
  )
  let sweptAt = -Infinity

  function deliver(id: string): void {
    if (records.of(id).purpose.kind === 'request') delivery.start(id)
  }

  function paidBefore(paymentHash: string, challenge: PaymentChallenge | undefined, ownId?: string): boolean {
    if (journal.byPaymentHash(paymentHash).some((record) => record.id !== ownId && mayBePaid(record)))
      return true
    if (!challenge) return false
    const marks = new Set(marksOf(challenge))
    return [...journal.open(), ...journal.list(LOOK_BACK)].some(
      (record) =>
        record.id !== ownId &&
        record.host === service.host &&
        mayBePaid(record) &&
        challengeMarks(record).some((mark) => marks.has(mark)),
    )
  }

  function asksFor(record: PaymentRecord): readonly AskReason[] {
    if (record.state !== 'quoted') return []
    const reasons: AskReason[] = []
    if (!journal.paidHosts().some(({ host }) => host === record.host)) reasons.push('first-host')
    if (record.amountMsat > limits().automaticUpTo) reasons.push('above-automatic')
    if (wallet()?.canLookUp === false) reasons.push('no-lookup')
    if (breaker.paused()) reasons.push('paused')
    return reasons
  }

  /** Runs all checks. They run again right before the wallet is asked, because a confirmation takes time. */
  function requirePayable(id: string): { readonly record: PaymentRecord; readonly with: LightningWallet } {
    options.requireIntact()
    const record = records.of(id)
    if (isUncertain(record.state)) throw new SottoError('payment/in-progress')
    if (isPaid(record.state)) throw new SottoError('payment/already-paid')
    if (record.state !== 'quoted') throw new SottoError('payment/expired')
    const connected = wallet()
    if (!connected) throw new SottoError('wallet/not-connected')
    requireTime(record.expiresAt, now())
    if (
      paidBefore(
        record.paymentHash,
        record.purpose.kind === 'request' ? record.purpose.challenge : undefined,
        id,
      )
    )
      throw new SottoError('payment/already-paid')
    requireWithinLimits(limits(), record, spentInDay(journal, limitClock.read()))
    return { record, with: connected }
  }

  async function agreed(id: string, how: Asks, signal: AbortSignal): Promise<void> {
    const { record, with: connected } = requirePayable(id)
    const reasons = asksFor(record)
    if (how.asks === 'tool') {
      if (reasons.includes('paused')) throw new SottoError('payment/paused')
      if (reasons.length > 0) throw new SottoError('payment/confirmation-required')
      return
    }
    if (reasons.length === 0 || isSimulatedTopup(record, connected, service.kind)) return
    const confirmed = await options.confirm.ask(
      { says: questionOf(record, reasons, service.kind), from: how.from },
      signal,
    )
    requireWanted(signal)
    if (!confirmed) throw new SottoError('payment/refused')
  }

  async function begin(id: string, how: Asks, signal: AbortSignal): Promise<void> {
    const wanted = AbortSignal.any([signal, closed])
    requireWanted(wanted)
    await agreed(id, how, wanted)
    requireWanted(wanted)
    // Nothing is awaited until the reservation is written. Otherwise two payments could both pass the checks.
    const { record, with: connected } = requirePayable(id)
    if (how.asks === 'tool') {
      if (asksFor(record).length > 0) throw new SottoError('payment/confirmation-required')
      rate.requireCapacity()
    }
    // The mark is written first, so that after a kill no reservation is later than the clock that counts it.
    const { at } = limitClock.saveTime()
    records.apply(id, { type: 'reserved', at, wallet: connected.publicKey })
    rate.note()
    const saving = records.durable()
    if (saving) {
      await saving
      // The reservation remains, and the next start looks its outcome up.
      requireWanted(closed)
    }
    settlement.ask(id, record.invoice, connected)
  }

  async function pay(id: string, how: Asks, signal: AbortSignal): Promise<PaymentRecord> {
    const known = paying.get(id)
    const begun = known ?? begin(id, how, signal)
    if (!known) {
      paying.set(id, begun)
      begun.finally(() => paying.delete(id)).catch(() => undefined)
    }
    await begun
    return atRest(id, signal)
  }

  async function atRest(id: string, signal: AbortSignal): Promise<PaymentRecord> {
    const record = await records.until(id, isAtRest, AbortSignal.any([signal, closed]))
    await records.durable()
    return record
  }

  async function expireLater(id: string, expiresAt: number): Promise<void> {
    try {
      await wait(Math.max(expiresAt - now(), 0) + 1000, closed)
      runOut(records.of(id))
    } catch {
      // Sotto is closing, or writing failed. The next reader finds that the quote has expired.
    }
  }

  function runOut({ id, state, expiresAt }: PaymentRecord): void {
    if (state === 'quoted' && now() >= expiresAt) records.apply(id, { type: 'ran-out' })
  }

  /** Removes the content of unpaid quotes a day after they expired. Until then a person may have paid one. */
  function sweep(): void {
    if (!isDue(now(), sweptAt, SWEEP_EVERY_MS)) return
    sweptAt = now()
    for (const { id, expiresAt, purpose } of journal.list(SWEPT_RECORDS)) {
      if (expiresAt < now() - FORGET_AFTER_MS && purpose.kind === 'request' && purpose.challenge)
        records.apply(id, { type: 'forgotten' })
    }
  }

  /** Uses the current rate, so that the record has the value at the time of the decision. */
  function worth(amountMsat: bigint): Pick<PaymentRecord, 'worth'> {
    const picoUsdPerSat = options.rate?.()
    return picoUsdPerSat === undefined ? {} : { worth: worthOf(amountMsat, picoUsdPerSat) }
  }

  return {
    asksFor,
    pay,
    async quote(request, { caller, subject, listed, receiptId }, signal) {
      sweep()
      const id = newId()
      const response = await transport.send(
        request,
        { idempotencyKey: id },
        AbortSignal.any([signal, closed]),
      )
      if (response.kind === 'answer') return response
      const { challenge, status, date } = response
      const invoice = readInvoice(challenge.invoice)
      const picoUsdPerSat = options.rate?.()
      const { amountMsat, expiresAt } = guardInvoice({
        invoice,
        network: service.lightningNetwork,
        now: now(),
        paidBefore: paidBefore(invoice.paymentHash, challenge),
        demand: {
          status,
          challenge,
          body: request.body,
          ...(date !== undefined && { date }),
          ...(listed !== undefined && { listed }),
          ...(picoUsdPerSat !== undefined && { picoUsdPerSat }),
        },
      })
      const record = records.add({
        id,
        at: now(),
        caller,
        host: service.host,
        state: 'quoted',
        invoice: challenge.invoice,
        paymentHash: invoice.paymentHash,
        amountMsat,
        ...worth(amountMsat),
        expiresAt,
        attempts: 0,
        purpose: {
          kind: 'request',
          request,
          challenge,
          subject,
          ...(challenge.description !== undefined && { description: challenge.description }),
          ...(listed !== undefined && { listed }),
        },
        ...(receiptId !== undefined && { receiptId }),
      })
      // A person may pay it with another wallet as soon as it's shown.
      await records.durable()
      void expireLater(id, expiresAt)
      return { kind: 'quoted', record }
    },
    async payInvoice({ topupId, invoice: text, expectedMsat, caller, from }, signal) {
      const invoice = readInvoice(text)
      const { amountMsat, expiresAt } = guardInvoice({
        invoice,
        network: service.lightningNetwork,
        now: now(),
        paidBefore: paidBefore(invoice.paymentHash, undefined),
        ...(expectedMsat !== undefined && { expectedMsat }),
      })
      const again = journal
        .byPaymentHash(invoice.paymentHash)
        .find(({ state, purpose }) => state === 'quoted' && purpose.kind === 'topup')
      const { id } =
        again ??
        records.add({
          id: newId(),
          at: now(),
          caller,
          host: service.host,
          state: 'quoted',
          invoice: text.toLowerCase(),
          paymentHash: invoice.paymentHash,
          amountMsat,
          ...worth(amountMsat),
          expiresAt,
          attempts: 0,
          purpose: { kind: 'topup', topupId },
        })
      try {
        return await pay(id, { asks: 'person', from }, signal)
      } catch (thrown) {
        records.apply(id, { type: 'declined' })
        throw thrown
      }
    },
    credited(topupId) {
      for (const { id, purpose } of journal.open())
        if (purpose.kind === 'topup' && purpose.topupId === topupId) records.apply(id, { type: 'delivered' })
    },
    async prove(id, preimage, signal) {
      const record = records.of(id)
      if (!provesPayment(preimage, record.paymentHash)) throw new SottoError('payment/invalid-preimage')
      if (!isPaid(record.state)) {
        records.apply(id, { type: 'settled', preimage, at: now() })
        deliver(id)
      }
      return atRest(id, signal)
    },
    decline(id) {
      const { state } = records.of(id)
      if (isUncertain(state) || paying.has(id)) throw new SottoError('payment/in-progress')
      if (isPaid(state)) throw new SottoError('payment/already-paid')
      return records.apply(id, { type: 'declined' })
    },
    async retry(id, signal) {
      const { state, purpose } = records.of(id)
      if (!isPaid(state) || purpose.kind !== 'request') throw new SottoError('payment/nothing-delivered')
      if (state === 'given-up') throw new SottoError('payment/abandoned')
      if (state !== 'delivered') {
        records.apply(id, { type: 'retried' })
        deliver(id)
      }
      return atRest(id, signal)
    },
    claim: (id) => void records.apply(id, { type: 'claimed' }),
    abandon(id) {
      const record = records.of(id)
      const { state } = record
      if (state === 'undelivered' || isMaking(record)) return records.apply(id, { type: 'given-up' })
      if (state === 'held' || state === 'unknown') return records.apply(id, { type: 'closed' })
      throw new SottoError('payment/cannot-close')
    },
    resume() {
      for (const record of journal.open()) {
        if (record.state === 'quoted') {
          runOut(record)
          void expireLater(record.id, record.expiresAt)
        } else if (record.state === 'paid') deliver(record.id)
      }
      // A payment that failed or was closed isn't open, and its proof can still arrive. The wallet is still to
      // be asked for one that is being paid.
      for (const { id, state, reservedAt } of [...journal.open(), ...journal.list(LOOK_BACK)])
        if (reservedAt !== undefined && !isPaid(state) && !paying.has(id)) settlement.resume(id)
      sweep()
    },
    inUse: (publicKey) =>
      journal.open().some((record) => record.wallet === publicKey && isUncertain(record.state)),
    proof: (id) => proofText(records.of(id)),
    get: (id) => journal.get(id),
    list: (limit) => journal.list(limit),
    settled: (id, signal = closed) => records.until(id, isSettled, AbortSignal.any([signal, closed])),
    changes: (signal) => records.changes(AbortSignal.any([signal, closed])),
    uriOf: (record) =>
      record.state === 'quoted' &&
      !paying.has(record.id) &&
      record.expiresAt > now() &&
      !paidBefore(record.paymentHash, undefined)
        ? `LIGHTNING:${record.invoice.toUpperCase()}`
        : undefined,
    spent: () => spentOf(journal, limitClock.read()),
    paused: () => breaker.paused(),
    resumeAfterPause: () => breaker.resume(),
    async [Symbol.asyncDispose]() {
      closing.abort()
      await Promise.all([settlement.idle(), delivery.idle()])
    },
  }
}

function challengeMarks({ purpose }: PaymentRecord): readonly string[] {
  if (purpose.kind !== 'request') return []
  return purpose.challenge ? marksOf(purpose.challenge) : (purpose.challengeMarks ?? [])
}

/** Whether the caller of a payment can get a result. */
function isAtRest({ state, purpose, delivered }: PaymentRecord): boolean {
  if (state === 'quoted' || state === 'paying') return false
  return (
    state !== 'paid' ||
    purpose.kind === 'topup' ||
    (delivered?.job?.status === 'pending' && delivered.statusUrl !== undefined)
  )
}

/** @throws {SottoError} request/canceled */
function requireWanted(signal: AbortSignal): void {
  if (signal.aborted) throw new SottoError('request/canceled')
}
