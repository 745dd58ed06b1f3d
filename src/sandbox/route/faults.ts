import {
  credentialUnknown,
  documentedRefusal,
  failedWithPage,
  insufficientCredit,
  balanceBackoffFor,
  rateLimitedFor,
  type Refusal,
} from '../refusal.ts'

/** The simulated fault of one route. */
export interface RouteFault {
  /** Answers with this status instead, and does nothing. */
  readonly status?: number | undefined
  /** Seconds, with 429 and 503. */
  readonly retryAfter?: number | undefined
  /** With 429: the service asks to wait because the account is empty. */
  readonly balanceBackoff?: boolean | undefined
  /** Waits so long first. */
  readonly latencyMs?: number | undefined
  /** Does everything, and then drops the connection within the answer. */
  readonly cut?: boolean | undefined
  /** Does everything, stops within the answer, and holds the connection open. */
  readonly stalled?: boolean | undefined
}

/** A route that supports simulated faults. */
export interface FaultyRoute {
  /** `POST /v1/images/generations` */
  readonly name: string
  readonly group: string
  readonly description: string
  /** False: only a delay can be simulated, because its other faults are those of the enclave. */
  readonly fails: boolean
}

/** Faults by route, changed at run time. */
export class RouteFaults {
  readonly #known: ReadonlyMap<string, FaultyRoute>
  readonly #faults = new Map<string, RouteFault>()

  constructor(routes: readonly FaultyRoute[]) {
    this.#known = new Map(routes.map((route) => [route.name, route]))
  }

  of(route: string): RouteFault | undefined {
    return this.#faults.size === 0 ? undefined : this.#faults.get(route)
  }

  /** @throws RangeError for what this route cannot do, or a route that is not there: a misspelt switch must not pass for one that was thrown. */
  set(route: string, fault: RouteFault | null): void {
    const known = this.#known.get(route)
    if (!known) throw new RangeError(`unknown sandbox route: ${route}`)
    if (!known.fails && (fault?.status !== undefined || fault?.cut === true || fault?.stalled === true))
      throw new RangeError(`a fault of the enclave, and not of the route: ${route}`)
    if (fault) this.#faults.set(route, fault)
    else this.#faults.delete(route)
  }

  /** Every route of this revision, with its simulated fault. */
  routes(): (FaultyRoute & { readonly fault: RouteFault | null })[] {
    return [...this.#known.values()].map((route) => ({
      ...route,
      fault: this.#faults.get(route.name) ?? null,
    }))
  }

  list(): Readonly<Record<string, RouteFault>> {
    return Object.fromEntries(this.#faults)
  }
}

/** The status in the shape in which the service was seen to answer it. */
export function faultAnswer({ status, retryAfter, balanceBackoff }: RouteFault): Refusal | undefined {
  switch (status) {
    case undefined:
      return undefined
    case 401:
      return credentialUnknown
    case 402:
      return insufficientCredit
    case 429:
      return balanceBackoff === true ? balanceBackoffFor(retryAfter ?? 7) : rateLimitedFor(retryAfter ?? 7)
    case 500:
      return failedWithPage
    default:
      return {
        ...documentedRefusal(status, 'Simulated error of the sandbox'),
        ...(retryAfter !== undefined && { headers: { 'retry-after': String(retryAfter) } }),
      }
  }
}
