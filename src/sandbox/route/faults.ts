import { credentialUnknown, documentedRefusal, failedWithPage, insufficientCredit, rateLimitedFor, type Refusal } from '../refusal.ts'

/** What one route is told to do wrong. */
export interface RouteFault {
  /** Answers with this status instead, and does nothing. */
  readonly status?: number | undefined
  /** Seconds, with 429 and 503. */
  readonly retryAfter?: number | undefined
  /** Waits so long first. */
  readonly latencyMs?: number | undefined
  /** Does everything, and then drops the connection within the answer. */
  readonly cut?: boolean | undefined
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

  /** The routes that can be told to fail. */
  names(): readonly string[] {
    return [...this.#known]
  }

  list(): Readonly<Record<string, RouteFault>> {
    return Object.fromEntries(this.#faults)
  }
}

/** The status in the shape in which the service was seen to answer it. */
export function faultAnswer({ status, retryAfter }: RouteFault): Refusal | undefined {
  switch (status) {
    case undefined: return undefined
    case 401: return credentialUnknown
    case 402: return insufficientCredit
    case 429: return rateLimitedFor(retryAfter ?? 7)
    case 500: return failedWithPage
    default: return { ...documentedRefusal(status, 'The sandbox was told to answer so'), ...(retryAfter !== undefined && { headers: { 'retry-after': String(retryAfter) } }) }
  }
}
