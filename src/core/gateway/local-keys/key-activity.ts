import type { Receipt } from '../../../shared/receipt.ts'

/** If more requests than this end between two reads, only the newest are listed and `more` is set. */
const MOST_REQUESTS = 100

/** The changes of local keys since the last read. Its size is limited, however slow the reader is. */
export interface Happened {
  readonly keyIds: ReadonlySet<string>
  /** Newest first. */
  readonly receipts: readonly Receipt[]
  readonly more: boolean
}

/** Notifies watchers when a request ends or a key changes. It costs nothing while there are no watchers. */
export class KeyActivity {
  readonly #watchers = new Set<Watcher>()

  changed(keyId: string): void {
    for (const watcher of this.#watchers) watcher.changed(keyId)
  }

  ended(receipt: Receipt): void {
    for (const watcher of this.#watchers) watcher.ended(receipt)
  }

  watch(): Watcher {
    const watcher = new Watcher(() => this.#watchers.delete(watcher))
    this.#watchers.add(watcher)
    return watcher
  }
}

class Watcher {
  readonly #leave: () => void
  #keyIds = new Set<string>()
  #receipts: Receipt[] = []
  #more = false
  #wake: () => void = () => undefined

  constructor(leave: () => void) {
    this.#leave = leave
  }

  changed(keyId: string): void {
    this.#keyIds.add(keyId)
    this.#wake()
  }

  ended(receipt: Receipt): void {
    this.#receipts.push(receipt)
    if (this.#receipts.length > MOST_REQUESTS) {
      this.#receipts.shift()
      this.#more = true
    }
    this.#wake()
  }

  /** Resolves when a change is pending, after `timeoutMs`, or when the signal is aborted. */
  happened(timeoutMs: number, signal: AbortSignal): Promise<void> {
    if (signal.aborted || this.#keyIds.size > 0 || this.#receipts.length > 0) return Promise.resolve()
    return new Promise((resolve) => {
      const timer = setTimeout(() => settle(), timeoutMs)
      timer.unref()
      const settle = (): void => {
        clearTimeout(timer)
        signal.removeEventListener('abort', settle)
        this.#wake = () => undefined
        resolve()
      }
      signal.addEventListener('abort', settle)
      this.#wake = settle
    })
  }

  take(): Happened {
    const happened = { keyIds: this.#keyIds, receipts: this.#receipts.reverse(), more: this.#more }
    this.#keyIds = new Set()
    this.#receipts = []
    this.#more = false
    return happened
  }

  leave(): void {
    this.#leave()
  }
}
