/**
 * The process counts as idle this long after its last activity: a pause between two questions is shorter.
 */
const REST_MS = 30_000
const SETTLED_MS = 2_000
/** Less than this is not worth the pause that giving it back takes: some 50 ms, in which nothing is answered. */
const WORTHWHILE_BYTES = 16 << 20

/** The functions and times of the process, which tests replace. */
interface IdleGcOptions {
  /** Whether no work is in progress. */
  readonly atRest: () => Promise<boolean>
  /** `rss` is the resident memory of the process, in bytes. */
  readonly usage?: () => Pick<NodeJS.MemoryUsage, 'rss'>
  readonly giveBack?: () => Promise<void>
}

/**
 * Releases memory after a start or a busy time. V8 grows its young generation under load and retains the
 * empty pages. A browser makes V8 release them when a page is idle, and Node doesn't.
 */
export class IdleGc {
  readonly #options: Required<IdleGcOptions>
  /** The resident memory after the last release: only growth since then justifies another pause. */
  #least = 0
  #timer: NodeJS.Timeout | undefined
  /** The timer is the start's, which is shorter. */
  #settling = false

  constructor(options: IdleGcOptions) {
    this.#options = { usage: process.memoryUsage, giveBack: giveMemoryBack, ...options }
  }

  /** Notes activity. Cheap, because each request calls it. */
  stir(): void {
    if (this.#timer && !this.#settling) this.#timer.refresh()
    else this.#restAfter(REST_MS)
  }

  /** The start is complete: its memory is released sooner, unless there is activity before. */
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
    // A runtime without an inspector retains its memory.
  }
}
