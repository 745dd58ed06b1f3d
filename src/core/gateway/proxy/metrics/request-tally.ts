import { isErrorCode } from '../../../../shared/error-codes.ts'
import type { Receipt } from '../../../../shared/receipt.ts'
import { costDifference } from '../../../../shared/cost-difference.ts'
import { pathClass } from '../../../../shared/path-class.ts'

/** Upper bounds in ms. The time that Sotto adds is about 1 ms. */
export const ADDED_MS_BOUNDS = [0.5, 1, 2, 5, 10, 25, 50, 100, 250, 1000] as const
/**
 * Beyond this many models, the others are counted together, so that a service that lists a new one with each
 * answer can't fill the memory.
 */
const MAX_MODELS = 500
const OTHER_MODEL = 'other'

export type Labels = Record<string, string>

interface Count<Value> {
  readonly labels: Labels
  value: Value
}

/** The distribution of added time: counts by bound, the last one for all times above. */
export interface Spread {
  readonly counts: number[]
  sumMs: number
}

export interface ModelUse {
  promptTokens: number
  completionTokens: number
  picoUsd: bigint
}

/**
 * Counts requests from their receipts. Callers control no label: paths and codes are from closed sets, and a
 * model is named only if a request to it was sent, which requires a listed ID.
 */
export class RequestTally {
  readonly #requests = new Map<string, Count<number>>()
  readonly #models = new Map<string, Count<ModelUse>>()
  readonly #added = new Map<string, Count<Spread>>()
  #differences = 0
  #begun = 0
  #ended = 0
  readonly #waiting: (() => void)[] = []

  /** A request that will have a receipt. */
  begin(): void {
    this.#begun++
  }

  /** Resolves when every started request has its receipt, or after `withinMs`. */
  async settled(withinMs: number): Promise<void> {
    if (this.inFlight === 0) return
    const { promise, resolve } = Promise.withResolvers<undefined>()
    const done = (): void => resolve(undefined)
    this.#waiting.push(done)
    const timer = setTimeout(done, withinMs)
    await promise
    clearTimeout(timer)
  }

  note(receipt: Receipt): void {
    this.#ended++
    if (this.inFlight === 0) for (const done of this.#waiting.splice(0)) setImmediate(done)
    const { caller, path, privacy, outcome, usage, cost, addedMs, model } = receipt
    if (costDifference(receipt) !== undefined) this.#differences++
    const code = receipt.code !== undefined && isErrorCode(receipt.code) ? receipt.code : ''
    const place = pathClass(path)
    countOf(this.#requests, `${caller.kind} ${place} ${privacy} ${outcome} ${code}`, () => ({
      labels: { caller: caller.kind, path: place, privacy, outcome, code },
      value: 0,
    })).value++
    if (addedMs !== undefined && privacy !== 'refused') {
      const { value } = countOf(this.#added, privacy, () => ({
        labels: { privacy },
        value: { counts: ADDED_MS_BOUNDS.map(() => 0).concat(0), sumMs: 0 },
      }))
      const at = ADDED_MS_BOUNDS.findIndex((bound) => addedMs <= bound)
      const bucket = at < 0 ? ADDED_MS_BOUNDS.length : at
      value.counts[bucket] = (value.counts[bucket] ?? 0) + 1
      value.sumMs += addedMs
    }
    if (privacy === 'refused' || (!usage && cost === undefined)) return
    const name =
      this.#models.has(`${privacy} ${model}`) || this.#models.size < MAX_MODELS ? model : OTHER_MODEL
    const { value } = countOf(this.#models, `${privacy} ${name}`, () => ({
      labels: { privacy, model: name },
      value: { promptTokens: 0, completionTokens: 0, picoUsd: 0n },
    }))
    value.promptTokens += usage?.prompt ?? 0
    value.completionTokens += usage?.completion ?? 0
    if (cost !== undefined) value.picoUsd += BigInt(cost)
  }

  get inFlight(): number {
    return this.#begun - this.#ended
  }

  /** The number of requests since the start. */
  get begun(): number {
    return this.#begun
  }

  /** Counts answers whose stated cost differed notably from the price list. */
  get differences(): number {
    return this.#differences
  }

  requests(): Iterable<Readonly<Count<number>>> {
    return this.#requests.values()
  }

  models(): Iterable<Readonly<Count<ModelUse>>> {
    return this.#models.values()
  }

  added(): Iterable<Readonly<Count<Spread>>> {
    return this.#added.values()
  }
}

function countOf<Value>(
  counts: Map<string, Count<Value>>,
  key: string,
  make: () => Count<Value>,
): Count<Value> {
  const known = counts.get(key)
  if (known) return known
  const entry = make()
  counts.set(key, entry)
  return entry
}
