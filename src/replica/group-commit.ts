/** Operations at most in one batch, so that a batch doesn't hold its locks for long. */
const MAX_BATCH = 200

/** Counts of a queue, for the metrics. */
export interface BatchCounts {
  readonly batches: number
  readonly operations: number
  readonly waiting: number
}

interface Waiting<Operation, Result> {
  readonly operation: Operation
  readonly resolve: (result: Result) => void
  readonly reject: (reason: unknown) => void
}

/**
 * Commits operations in batches, one batch at a time: while one commits, the next ones collect. First come, first
 * served.
 * @param commit returns one result for each operation, in their order. If it throws, all of them fail
 */
export class GroupCommit<Operation, Result> {
  readonly #commit: (operations: readonly Operation[]) => Promise<readonly Result[]>
  #waiting: Waiting<Operation, Result>[] = []
  #running: Promise<void> | undefined
  #batches = 0
  #operations = 0

  constructor(commit: (operations: readonly Operation[]) => Promise<readonly Result[]>) {
    this.#commit = commit
  }

  /** Adds an operation. It's committed with all others that are added before the batch begins. */
  add(operation: Operation): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ operation, resolve, reject })
      this.#running ??= this.#run()
    })
  }

  /** Resolves when nothing waits. */
  async idle(): Promise<void> {
    while (this.#running) await this.#running
  }

  get counts(): BatchCounts {
    return { batches: this.#batches, operations: this.#operations, waiting: this.#waiting.length }
  }

  async #run(): Promise<void> {
    // All operations of the current turn of the event loop share a batch.
    await new Promise((resolve) => setImmediate(resolve))
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0, MAX_BATCH)
      this.#batches += 1
      this.#operations += batch.length
      try {
        const results = await this.#commit(batch.map(({ operation }) => operation))
        for (const [index, { resolve, reject }] of batch.entries()) {
          const result = results[index]
          if (result === undefined) reject(new TypeError('The batch has no result for an operation.'))
          else resolve(result)
        }
      } catch (thrown) {
        for (const { reject } of batch) reject(thrown)
      }
    }
    this.#running = undefined
  }
}
