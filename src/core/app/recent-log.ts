import { closedForm, type LogEntry, type Log, type LogEventName } from '../../shared/log-events.ts'

/** The number of lines, only in memory: some hours of a person's work. */
const MOST = 2000

interface Noted {
  readonly seq: number
  readonly at: number
  readonly name: LogEventName
  readonly fields: unknown
}

/** The last lines of the log, whether or not it's also written to a file. */
export class RecentLog {
  readonly #now: () => number
  readonly #pass: Log | undefined
  #noted: Noted[] = []
  #seq = 0
  readonly #waiting = new Set<() => void>()

  /**
   * @param now Unix ms
   * @param pass also gets every event
   */
  constructor(now: () => number, pass: Log | undefined) {
    this.#now = now
    this.#pass = pass
  }

  readonly log: Log = (name, fields) => {
    this.#pass?.(name, fields)
    // Lines are formatted when somebody reads them, and removed many at a time, because a busy proxy must not
    // wait for either.
    this.#noted.push({ seq: ++this.#seq, at: this.#now(), name, fields })
    if (this.#noted.length >= 2 * MOST) this.#noted = this.#noted.slice(-MOST)
    for (const wake of this.#waiting) wake()
  }

  entries(after = 0): LogEntry[] {
    return this.#noted
      .slice(-MOST)
      .filter(({ seq }) => seq > after)
      .map(entryOf)
  }

  /** Yields the stored lines first, and then new lines in batches. */
  async *watch(signal: AbortSignal): AsyncGenerator<LogEntry[], void> {
    let yieldedSeq = 0
    while (!signal.aborted) {
      const entries = this.entries(yieldedSeq)
      yieldedSeq = this.#seq
      if (entries.length > 0) yield entries
      await this.#next(yieldedSeq, signal)
    }
  }

  #next(yieldedSeq: number, signal: AbortSignal): Promise<void> {
    if (this.#seq > yieldedSeq || signal.aborted) return Promise.resolve()
    return new Promise((resolve) => {
      const wake = (): void => {
        this.#waiting.delete(wake)
        signal.removeEventListener('abort', wake)
        resolve()
      }
      this.#waiting.add(wake)
      signal.addEventListener('abort', wake)
    })
  }
}

function entryOf({ seq, at, name, fields }: Noted): LogEntry {
  const {
    level,
    line: { event, ...values },
  } = closedForm(name, fields)
  return { seq, at, level, event: String(event), fields: plain(values) }
}

function plain(values: Readonly<Record<string, unknown>>): LogEntry['fields'] {
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) =>
      typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
        ? [[name, value]]
        : [],
    ),
  )
}
