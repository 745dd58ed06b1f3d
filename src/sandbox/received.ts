import type { ReceivedRequest } from './sandbox.ts'

/** A request as the log goes on writing it. */
export type LogEntry = { -readonly [key in keyof ReceivedRequest]: ReceivedRequest[key] }

/** The newest requests, oldest first; an entry goes on changing until its request is done. */
export class ReceivedLog {
  #entries: LogEntry[] = []
  readonly #capacity: number

  constructor(capacity = 1000) {
    this.#capacity = capacity
  }

  add(request: ReceivedRequest): LogEntry {
    const entry = { ...request }
    this.#entries.push(entry)
    if (this.#entries.length > this.#capacity) this.#entries.shift()
    return entry
  }

  list(): readonly ReceivedRequest[] {
    return this.#entries.map((entry) => ({ ...entry }))
  }

  clear(): void {
    this.#entries = []
  }
}
