import type { Refusal } from '../refusal.ts'

/** What one route is told to do wrong. */
export interface RouteFault {
  /** Answers this instead, and does nothing. */
  readonly refusal?: Refusal
  /** Waits so long first. */
  readonly latencyMs?: number
  /** Does everything, and then drops the connection within the answer. */
  readonly cut?: boolean
}

/** Faults by route, changed at run time. */
export class RouteFaults {
  readonly #known: ReadonlySet<string>
  readonly #faults = new Map<string, RouteFault>()

  /** @param known the routes' names */
  constructor(known: Iterable<string>) {
    this.#known = new Set(known)
  }

  of(route: string): RouteFault | undefined {
    return this.#faults.size === 0 ? undefined : this.#faults.get(route)
  }

  /** @throws RangeError for a route that is not there: a misspelt switch must not pass for one that was thrown. */
  set(route: string, fault: RouteFault | null): void {
    if (!this.#known.has(route)) throw new RangeError(`unknown sandbox route: ${route}`)
    if (fault) this.#faults.set(route, fault)
    else this.#faults.delete(route)
  }
}
