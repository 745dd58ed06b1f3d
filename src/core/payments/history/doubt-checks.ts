import type { Receipt } from '../../../shared/receipt.ts'
import { dayOf } from './join-receipts.ts'
import { listPage, type HistoryPlace } from './list-page.ts'
import { timesOf } from './receipt-match.ts'
import { isRecordedBy, RECORDED_WITHIN_MS } from './receipt-relation.ts'

/** Slightly longer than the service may take to record a request, so that one check is usually enough. */
const EVERY_MS = RECORDED_WITHIN_MS + 60_000
/**
 * After this many checks, only a person's reading of the history, or the next start, can confirm the cost.
 */
const MOST_CHECKS = 6
const MOST_PAGES = 10
const PAGE = 100
/**
 * The first check searches the receipts of this period for doubts of an earlier start. Decrypting a receipt
 * takes some 20 µs.
 */
const EARLIER_MS = 7 * 86_400_000
const MOST_EARLIER = 2_000

export interface DoubtChecksOptions {
  readonly receipts: Pick<HistoryPlace['store']['receipts'], 'between' | 'get'>
  /** Read for each check, because the active account may change. */
  readonly place: () => HistoryPlace
  /** Unix ms. */
  readonly now: () => number
}

/**
 * Reads the service's history for requests whose cost is doubted, so that budgets are corrected without a
 * person opening History. Sends no request unless a cost is doubted. A failed check is repeated with the next
 * ones.
 */
export class DoubtChecks implements Disposable {
  readonly #options: DoubtChecksOptions
  readonly #ended = new AbortController()
  /** The number of checks of each doubted receipt, by its id. */
  readonly #checks = new Map<string, number>()
  #timer: NodeJS.Timeout | undefined
  #earlierKnown = false

  constructor(options: DoubtChecksOptions) {
    this.#options = options
    this.#arm()
  }

  /** Adds a doubted receipt to the next check. */
  note({ id, costDoubted }: Receipt): void {
    if (costDoubted !== true) return
    this.#checks.set(id, 0)
    this.#arm()
  }

  [Symbol.dispose](): void {
    this.#ended.abort()
    clearTimeout(this.#timer)
  }

  #arm(): void {
    if (this.#ended.signal.aborted) return
    this.#timer ??= setTimeout(() => {
      // A failure of the store is reported elsewhere. Here the next check retries.
      void this.#checkAll()
        .catch(() => undefined)
        .finally(() => {
          this.#timer = undefined
          if (this.#checks.size > 0) this.#arm()
        })
    }, EVERY_MS).unref()
  }

  async #checkAll(): Promise<void> {
    const { receipts, now } = this.#options
    if (!this.#earlierKnown) {
      const earlier = receipts.between(now() - EARLIER_MS, now(), MOST_EARLIER)
      this.#earlierKnown = true
      for (const { id, costDoubted } of earlier)
        if (costDoubted && !this.#checks.has(id)) this.#checks.set(id, 0)
    }
    for (const [id, count] of [...this.#checks]) {
      const receipt = receipts.get(id)
      if (!receipt?.costDoubted) this.#checks.delete(id)
      else if (isRecordedBy(receipt, now())) {
        await this.#check(receipt).catch(() => undefined)
        if (this.#ended.signal.aborted) return
        if (receipts.get(id)?.costDoubted !== true || count + 1 >= MOST_CHECKS) this.#checks.delete(id)
        else this.#checks.set(id, count + 1)
      }
    }
  }

  /** Reads the days of the request from the newest record back to its own time, like History. */
  async #check(receipt: Receipt): Promise<void> {
    const { from, until } = timesOf(receipt)
    const filter = { from: dayOf(from), until: dayOf(until) }
    let cursor: string | undefined
    for (let page = 0; page < MOST_PAGES; page += 1) {
      const { records, next } = await listPage(
        this.#options.place(),
        { filter, cursor, limit: PAGE },
        this.#ended.signal,
      )
      const oldest = records.at(-1)
      if (
        next === null ||
        (oldest && oldest.at < from) ||
        this.#options.receipts.get(receipt.id)?.costDoubted !== true
      )
        return
      cursor = next
    }
  }
}
