import type { ReceivedRequest } from './sandbox.ts'

type Mutable<T> = { -readonly [key in keyof T]: T[key] }

/** The newest requests, oldest first; an entry goes on changing until its request is done. */
export class ReceivedLog {
  #entries: Mutable<ReceivedRequest>[] = []
  readonly #capacity: number

  constructor(capacity = 1000) {
    this.#capacity = capacity
  }

  add(request: ReceivedRequest): Mutable<ReceivedRequest> {
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
