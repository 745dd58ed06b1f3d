import { closedForm } from '../../shared/closed-log-form.ts'
import type { LogEntry } from '../../shared/log-entry.ts'
import type { Log, LogEventName } from '../../shared/log-events.ts'

/** So many lines are held, in memory alone: some hours of a person's work. */
const MOST = 2000

interface Noted {
  readonly seq: number
  readonly at: number
  readonly name: LogEventName
  readonly fields: unknown
}

/** The last lines of the log, whether or not it is also written to a file. */
export class RecentLog {
  readonly #now: () => number
  readonly #pass: Log | undefined
  #noted: Noted[] = []
  #seq = 0
  readonly #waiting = new Set<() => void>()

  /** @param now Unix ms @param pass where every event goes too */
  constructor(now: () => number, pass: Log | undefined) {
    this.#now = now
    this.#pass = pass
  }

  readonly log: Log = (name, fields) => {
    this.#pass?.(name, fields)
    // Its form is looked at when somebody reads it, and the list cut for many at once: a busy proxy waits for neither.
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

  /** First what is held, then what comes, in steps of what came meanwhile. */
  async *watch(signal: AbortSignal): AsyncGenerator<LogEntry[], void> {
    let told = 0
    while (!signal.aborted) {
      const news = this.entries(told)
      told = this.#seq
      if (news.length > 0) yield news
      await this.#next(told, signal)
    }
  }

  #next(told: number, signal: AbortSignal): Promise<void> {
    if (this.#seq > told || signal.aborted) return Promise.resolve()
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
