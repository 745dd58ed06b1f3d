import { Worker } from 'node:worker_threads'

/** In this folder, in the sources and in the build. */
const FILE = new URL(
  import.meta.url.endsWith('.ts') ? './token-worker.ts' : './token-worker.js',
  import.meta.url,
)
/** The table needs about 20 MB; the rest is for texts. */
const LIMITS = { maxOldGenerationSizeMb: 256 }
const IDLE_MS = 60_000

/** Counts the tokens of texts. */
export interface TokenCounter {
  /**
   * @returns the tokens of each text, in order
   * @throws if the thread fails or the counter is closed; the next count starts another thread
   */
  count(texts: readonly string[]): Promise<number[]>
  /** Ends the thread, and every count in progress fails. */
  close(): void
}

interface Pending {
  readonly resolve: (counts: number[]) => void
  readonly reject: (cause: Error) => void
}

/**
 * Counts in a thread, because the encoder's table takes half a second to load. The first count starts the thread, and it ends after a minute
 * without counts. Then its heap is freed, about half of 75 MB; the allocator keeps the rest for the next thread. The thread sees nothing of
 * the environment and doesn't keep the process alive.
 */
export function createTokenCounter({
  file = FILE,
  idleMs = IDLE_MS,
}: { readonly file?: URL; readonly idleMs?: number } = {}): TokenCounter {
  const pending = new Map<number, Pending>()
  let worker: Worker | undefined
  let idle: NodeJS.Timeout | undefined
  let requests = 0
  let closed = false

  function end(ended: Worker | undefined, cause: Error): void {
    // An event of a thread that has been replaced.
    if (ended !== worker) return
    worker = undefined
    clearTimeout(idle)
    for (const { reject } of pending.values()) reject(cause)
    pending.clear()
    void ended?.terminate()
  }
  function take(message: unknown): void {
    if (!(message instanceof Uint32Array))
      return end(worker, new Error('the token thread sent an unknown message'))
    const [id = 0, ...counts] = message
    pending.get(id)?.resolve(counts)
    pending.delete(id)
    if (pending.size > 0) return
    clearTimeout(idle)
    idle = setTimeout(() => end(worker, new Error('idle')), idleMs).unref()
  }
  function start(): Worker {
    const started = new Worker(file, { env: {}, resourceLimits: LIMITS, name: 'sotto-tokens' })
    started.unref()
    started.on('message', take)
    started.on('error', (cause: Error) => end(started, cause))
    started.on('exit', () => end(started, new Error('the token thread ended')))
    return started
  }

  return {
    count: (texts) =>
      new Promise((resolve, reject) => {
        if (closed) return reject(new Error('closed'))
        if (texts.length === 0) return resolve([])
        clearTimeout(idle)
        worker ??= start()
        requests = (requests + 1) >>> 0
        pending.set(requests, { resolve, reject })
        worker.postMessage({ id: requests, texts })
      }),
    close() {
      closed = true
      end(worker, new Error('closed'))
    },
  }
}
