/** So long after the last sign of work the process counts as at rest: a pause between two questions is none. */
const REST_MS = 30_000
const SETTLED_MS = 2_000
/** Less than this is not worth the pause that giving it back takes: some 50 ms, in which nothing is answered. */
const WORTHWHILE_BYTES = 16 << 20

/** What is measured and done, and when: the process's own, but in tests. */
interface IdleGcOptions {
  /** Whether nothing is under way. */
  readonly atRest: () => Promise<boolean>
  /** Of which `rss`, in bytes, is what the process takes of the machine. */
  readonly usage?: () => Pick<NodeJS.MemoryUsage, 'rss'>
  readonly giveBack?: () => Promise<void>
}

/**
 * Gives memory back once a start, or a busy time, is over. V8 makes its young generation larger while there is much to do, and keeps the
 * emptied pages; a browser makes it let go of them when a page rests, and Node does not.
 */
export class IdleGc {
  readonly #options: Required<IdleGcOptions>
  /** Resident when it was last given back: only what has grown since is worth another pause. */
  #least = 0
  #timer: NodeJS.Timeout | undefined
  /** The timer is the start's, which is shorter. */
  #settling = false

  constructor(options: IdleGcOptions) {
    this.#options = { usage: process.memoryUsage, giveBack: giveMemoryBack, ...options }
  }

  /** Something was done. Cheap: it is said of every request. */
  stir(): void {
    if (this.#timer && !this.#settling) this.#timer.refresh()
    else this.#restAfter(REST_MS)
  }

  /** The start is over: what it left is given back sooner, unless something is done before that. */
  settle(): void {
    if (this.#timer) return
    this.#restAfter(SETTLED_MS)
    this.#settling = true
  }

  close(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
  }

  #restAfter(ms: number): void {
    clearTimeout(this.#timer)
    this.#settling = false
    this.#timer = setTimeout(() => void this.#rest(), ms).unref()
  }

  async #rest(): Promise<void> {
    const { atRest, usage, giveBack } = this.#options
    this.#timer = undefined
    if (!(await atRest())) return this.stir()
    if (usage().rss - this.#least < WORTHWHILE_BYTES) return
    await giveBack()
    this.#least = usage().rss
  }
}

/** A collection of everything, after which emptied pages go back to the system (V8's Isolate::LowMemoryNotification). Never throws. */
export async function giveMemoryBack(): Promise<void> {
  try {
    const { Session } = await import('node:inspector/promises')
    const session = new Session()
    session.connect()
    try {
      await session.post('HeapProfiler.collectGarbage')
    } finally {
      session.disconnect()
    }
  } catch {
    // A runtime that was built without an inspector keeps what it has.
  }
}
