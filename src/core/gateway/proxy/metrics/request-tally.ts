import { isErrorCode } from '../../../../shared/error-codes.ts'
import type { Receipt } from '../../../../shared/receipt.ts'
import { costDifference } from '../../../../shared/receipt-cost.ts'
import { pathClass } from '../../../../shared/log-events.ts'
import { KeyTally } from './key-tally.ts'
import { Spreads, type Labels } from './spreads.ts'

/** Upper bounds in ms. The time that Sotto adds is about 1 ms. */
const ADDED_MS_BOUNDS = [0.5, 1, 2, 5, 10, 25, 50, 100, 250, 1000] as const
/** Upper bounds in ms, from a cached answer to a long one of a slow model. */
const DURATION_MS_BOUNDS = [
  100, 250, 500, 1000, 2500, 5000, 10_000, 30_000, 60_000, 120_000, 300_000,
] as const
const FIRST_TOKEN_MS_BOUNDS = [50, 100, 250, 500, 1000, 2000, 5000, 10_000, 30_000, 60_000] as const
/**
 * Beyond this many models, the others are counted together, so that a service that lists a new one with each
 * answer can't fill the memory.
 */
const MAX_MODELS = 500
const OTHER_MODEL = 'other'

interface Count<Value> {
  readonly labels: Labels
  value: Value
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
  /** The time that Sotto added before an answer began. */
  readonly added = new Spreads(ADDED_MS_BOUNDS)
  /** From a complete request to the end of its answer. */
  readonly durations = new Spreads(DURATION_MS_BOUNDS)
  /** From a complete chat request to the first byte of its answer. */
  readonly firstTokens = new Spreads(FIRST_TOKEN_MS_BOUNDS)
  readonly keys = new KeyTally()
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
    const { caller, path, privacy, outcome, usage, cost, addedMs, firstByteMs, durationMs, model } = receipt
    if (costDifference(receipt) !== undefined) this.#differences++
    const code = receipt.code !== undefined && isErrorCode(receipt.code) ? receipt.code : ''
    const place = pathClass(path)
    countOf(this.#requests, `${caller.kind} ${place} ${privacy} ${outcome} ${code}`, () => ({
      labels: { caller: caller.kind, path: place, privacy, outcome, code },
      value: 0,
    })).value++
    this.keys.note(receipt)
    if (privacy !== 'refused') {
      this.added.note({ privacy }, addedMs)
      this.durations.note({ path: place, privacy }, durationMs)
      if (place === 'chat') this.firstTokens.note({ privacy }, firstByteMs)
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
