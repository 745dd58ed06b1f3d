import type { ErrorCode } from '../../../shared/error-codes.ts'
import { asSottoError, SottoError } from '../../../shared/errors.ts'
import type { JobPart, JobRecord } from '../../../shared/job-record.ts'
import { say, type Said } from '../../../shared/say.ts'
import type { PaymentRecord } from '../../payment/index.ts'
import type { CourseOptions } from '../courses/course.ts'
import { whole } from '../given-files.ts'
import { batchRequest, type BatchAsk } from '../requests/batch-request.ts'
import type { PayableAsk } from '../service.ts'
import type { BatchBook } from './batch-book.ts'
import { answeredRow, failedRow, leaving, rowOfPurchase, unknownRow, unsent } from './batch-row.ts'
import { isOfTheRow, judgeRow } from './judge-row.ts'

const MAX_ANSWER_BYTES = 32 * 1024 * 1024
/** Where so many fail one after another, the next ones would too. */
const MOST_FAILURES = 10
const MOST_UNKNOWN = 3
/** When the service takes no more for now, and does not say how long. */
const WAITS_MS = [1000, 2000, 5000, 15_000, 30_000, 60_000]
const LONGEST_WAIT_MS = 5 * 60_000
const SLICE_MS = 1000
const SAVE_DELAYS_MS = [500, 2000, 10_000]

export interface Row {
  readonly index: number
  readonly cells: readonly string[]
}

export interface Pause {
  readonly code: ErrorCode
  readonly detail?: Said
}

/** Sends the rows of one batch that are `ready`, several at once, until there are no more or it has to pause. */
export class BatchRun {
  readonly #job: JobRecord
  readonly #ask: BatchAsk
  readonly #book: BatchBook
  readonly #options: CourseOptions
  readonly #rows: AsyncIterator<Row>
  /** Purchases that this waits for. */
  readonly #awaited: Set<string>
  #taking: Promise<unknown> = Promise.resolve()
  #pause: Pause | undefined
  /** Of any row that waits: the others wait with it. */
  #waitUntil = 0
  #late = 0
  #failures = 0
  #unknown = 0
  /** The first payment may be confirmed outside the window; the others are made within the limits, or not at all. */
  #asks: 'person' | 'tool' = 'person'

  constructor(job: JobRecord, ask: BatchAsk, book: BatchBook, rows: AsyncIterator<Row>, awaited: Set<string>, options: CourseOptions) {
    this.#job = job
    this.#ask = ask
    this.#book = book
    this.#rows = rows
    this.#awaited = awaited
    this.#options = options
  }

  /** Resolves once nothing is under way; undefined where it had no reason to pause. Throws what the disk refuses. */
  async run(): Promise<Pause | undefined> {
    if (this.#job.pay === 'single') await this.#work(1)
    const workers = await Promise.allSettled(Array.from({ length: this.#ask.concurrency }, () => this.#work()))
    const broken = workers.find((worker) => worker.status === 'rejected')
    if (broken) throw broken.reason
    return this.#pause
  }

  async #work(most = Infinity): Promise<void> {
    try {
      for (let count = 0; count < most && !this.#isOver(); count++) {
        const row = await this.#take()
        if (!row) return
        await this.#send(row)
      }
    } catch (thrown) {
      this.#pauseFor({ code: asSottoError(thrown).code })
      throw thrown
    }
  }

  #isOver(): boolean {
    const { stopped, closed } = this.#options
    return this.#pause !== undefined || closed.aborted || stopped(this.#job.id) !== undefined
  }

  #pauseFor(pause: Pause): void {
    this.#pause ??= pause
  }

  /** One at a time: they are read from one stream. */
  #take(): Promise<Row | null> {
    const next = this.#taking.then(async () => {
      for (;;) {
        const read = await this.#rows.next()
        if (read.done === true) return null
        if (this.#book.stateOf(read.value.index) === 'ready') return read.value
      }
    })
    this.#taking = next.catch(() => undefined)
    return next
  }

  async #send({ index, cells }: Row): Promise<void> {
    const before = this.#options.parts.get(this.#job.id, index) ?? { part: index, state: 'ready' }
    let request: PayableAsk
    try {
      request = batchRequest(this.#ask, cells)
    } catch (thrown) {
      return this.#put(failedRow(before, failureOf(asSottoError(thrown))))
    }
    while (await this.#turn()) {
      const sent = await (this.#job.pay === 'single' ? this.#bySingle(before, request) : this.#fromBalance(before, request))
      if (sent !== 'later') return
    }
  }

  /** False where it is over before the service takes more. */
  async #turn(): Promise<boolean> {
    const { now, wait, closed } = this.#options
    for (;;) {
      if (this.#isOver()) return false
      const left = this.#waitUntil - now()
      if (left <= 0) return true
      await wait(Math.min(left, SLICE_MS), closed).catch(() => undefined)
    }
  }

  async #fromBalance(before: JobPart, ask: PayableAsk): Promise<'later' | undefined> {
    const { service, closed, files } = this.#options
    // Its owner chose whose balance pays.
    if (service.accountId() !== this.#job.accountId) {
      this.#pauseFor({ code: 'service/no-account', detail: say('It is paid from the account that it was begun with.') })
      return undefined
    }
    const price = await this.#priceOf(ask, before)
    if (price === null || !this.#fits(price)) return undefined
    const sent = leaving(before, { at: Math.trunc(this.#options.now()), price: price ?? 0n })
    await this.#put(sent)
    let receiptId: string | undefined
    let bytes: Uint8Array
    let cost: string | undefined
    try {
      const answer = await service.open({ ask, caller: this.#job.caller, signal: closed, mayPayPerRequest: false })
      receiptId = answer.receiptId
      bytes = await whole(answer.body, MAX_ANSWER_BYTES)
      cost = answer.receipt()?.cost
    } catch (thrown) {
      return this.#judged(sent, asSottoError(thrown), receiptId)
    }
    this.#went()
    await this.#put(await answeredRow(this.#job.id, sent, bytes, { cost, receiptId }, files))
    return undefined
  }

  async #judged(sent: JobPart, failure: SottoError, receiptId = failure.details.receiptId): Promise<'later' | undefined> {
    switch (judgeRow(failure)) {
      case 'later':
        await this.#put(unsent(sent))
        return this.#later(failure)
      case 'pause':
        await this.#put(unsent(sent))
        this.#pauseFor(failureOf(failure))
        return undefined
      case 'unknown':
        await this.#put(unknownRow(sent, receiptId))
        this.#unknown += 1
        if (this.#unknown >= MOST_UNKNOWN) this.#pauseFor({ code: 'studio/outcome-unknown' })
        return undefined
      case 'failed':
        await this.#put(failedRow(sent, failureOf(failure), receiptId))
        return this.#failed(failure)
      case 'failed-unpaid':
        await this.#put({ ...failedRow(unsent(sent), failureOf(failure), receiptId) })
        return this.#failed(failure)
    }
  }

  /** Asks for its price, pays it within the limits, and waits for what was bought; where it was paid before, for that. */
  async #bySingle(before: JobPart, ask: PayableAsk): Promise<'later' | undefined> {
    const { payer, closed } = this.#options
    const former = before.purchaseId === undefined ? null : payer.get(before.purchaseId)
    if (former && isPaid(former)) {
      await this.#put({ ...before, state: 'sending' })
      return this.#settle({ ...before, state: 'sending' }, former.id, () => payer.retry(former.id, closed))
    }
    const listed = await this.#priceOf(ask, before)
    if (listed === null || (listed !== undefined && !this.#fits(listed))) return undefined
    const quoted = await this.#quoted(ask, before)
    if (quoted === null || quoted === 'later') return quoted ?? undefined
    const { id, worth } = quoted
    // By what the service asks for: without a rate nobody knows it, whatever is listed.
    const price = worth !== undefined && listed !== undefined && listed > worth ? listed : worth
    if (!this.#fits(price)) {
      payer.decline(id)
      return undefined
    }
    const sent = leaving(before, { at: Math.trunc(this.#options.now()), price: price ?? listed ?? 0n, purchaseId: id })
    await this.#put(sent)
    const asks = this.#asks
    this.#asks = 'tool'
    return this.#settle(sent, id, () => payer.pay(id, { asks }, closed))
  }

  async #quoted(ask: PayableAsk, before: JobPart): Promise<PaymentRecord | 'later' | null> {
    const { service, payer, closed } = this.#options
    try {
      return payer.get(await service.quote({ ask, caller: this.#job.caller, signal: closed }))
    } catch (thrown) {
      const failure = asSottoError(thrown)
      // Nothing was paid: it is asked again when it goes on.
      if (failure.code === 'service/rate-limited') return this.#later(failure) ?? null
      if (!isOfTheRow(failure)) this.#pauseFor(failureOf(failure))
      else {
        await this.#put(failedRow(before, failureOf(failure)))
        this.#failed(failure)
      }
      return null
    }
  }

  /** @param begin has it paid, or delivered once more */
  async #settle(sent: JobPart, purchaseId: string, begin: () => Promise<PaymentRecord>): Promise<undefined> {
    const { payer } = this.#options
    this.#awaited.add(purchaseId)
    try {
      await begin().catch((thrown: unknown) => {
        if (!this.#options.closed.aborted) this.#pauseFor(failureOf(asSottoError(thrown)))
      })
      // The wallet was not asked.
      if (payer.get(purchaseId)?.state === 'quoted') payer.decline(purchaseId)
      const record = await this.#settledPurchase(purchaseId)
      if (!record) return
      const row = await rowOfPurchase(this.#job.id, sent, record, this.#options)
      if (row) await this.#put(row)
      if (row?.state === 'done') this.#went()
      else if (row?.state === 'failed') this.#failed(new SottoError(record.failure?.code ?? 'payment/undelivered'))
      else this.#pauseFor(record.failure ?? { code: row ? 'payment/expired' : 'payment/unresolved' })
    } finally {
      this.#awaited.delete(purchaseId)
    }
  }

  async #settledPurchase(id: string): Promise<PaymentRecord | null> {
    const { payer, closed } = this.#options
    const over = new AbortController()
    const changes = payer.changes(AbortSignal.any([over.signal, closed]))[Symbol.asyncIterator]()
    try {
      for (let next = changes.next(); ; next = changes.next()) {
        const record = payer.get(id)
        if (!record || (record.state !== 'paying' && !(record.state === 'paid' && !record.delivered))) return record
        const { done } = await next
        // The payer, or this, was closed: it goes on after the next start.
        if (done === true) return null
      }
    } finally {
      over.abort()
    }
  }

  /** undefined: not known; null: it cannot be asked for at all, as the row or the pause says. */
  async #priceOf(ask: PayableAsk, before: JobPart): Promise<bigint | undefined | null> {
    try {
      const estimate = await this.#options.service.estimate(ask)
      return estimate === 'unknown' ? undefined : estimate.most
    } catch (thrown) {
      const failure = asSottoError(thrown)
      if (isOfTheRow(failure)) await this.#put(failedRow(before, failureOf(failure)))
      else this.#pauseFor(failureOf(failure))
      return null
    }
  }

  /** Together with all that is under way. */
  #fits(price: bigint | undefined): boolean {
    const { most } = this.#ask
    if (most === undefined) return true
    if (price === undefined) this.#pauseFor({ code: 'studio/price-unknown' })
    else if (this.#book.held + price > BigInt(most)) this.#pauseFor({ code: 'studio/cap-reached' })
    else return true
    return false
  }

  #later(failure: SottoError): 'later' | undefined {
    const wait = failure.details.retryAfterSeconds === undefined ? WAITS_MS[this.#late] : Math.min(failure.details.retryAfterSeconds * 1000, LONGEST_WAIT_MS)
    this.#late += 1
    if (wait === undefined || this.#late > WAITS_MS.length * 2) {
      this.#pauseFor(failureOf(failure))
      return undefined
    }
    this.#waitUntil = Math.max(this.#waitUntil, this.#options.now() + wait)
    return 'later'
  }

  #failed(failure: SottoError): undefined {
    this.#failures += 1
    if (this.#failures >= MOST_FAILURES) this.#pauseFor(failureOf(failure))
  }

  #went(): void {
    this.#failures = 0
    this.#unknown = 0
    this.#late = 0
  }

  /** It may never come again: a disk that refuses is asked more than once. */
  async #put(part: JobPart): Promise<void> {
    for (let tries = 0; ; tries++) {
      try {
        this.#book.put(part)
        return
      } catch (thrown) {
        const delay = SAVE_DELAYS_MS[tries]
        // What is not noted does not leave.
        if (delay === undefined || part.state === 'sending') throw thrown
        await this.#options.wait(delay, this.#options.closed)
      }
    }
  }
}

function isPaid({ state }: PaymentRecord): boolean {
  return state === 'paying' || state === 'held' || state === 'unknown' || state === 'paid' || state === 'undelivered' || state === 'delivered'
}

function failureOf({ code, details: { detail } }: SottoError): Pause {
  return { code, ...(detail !== undefined && { detail }) }
}
