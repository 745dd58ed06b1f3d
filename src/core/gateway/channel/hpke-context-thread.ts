import { Worker } from 'node:worker_threads'
import { setupProof } from '../../../ehbp/index.ts'
import type { SetupPreparer } from './hpke-context-pool.ts'

/** In this folder: the source file, or its build. */
const FILE = new URL(
  import.meta.url.endsWith('.ts') ? './hpke-context-worker.ts' : './setup-worker.js',
  import.meta.url,
)
/**
 * The worker stores only a few small objects. A smaller young generation would spend more time on collection
 * than on computing.
 */
const LIMITS = { maxOldGenerationSizeMb: 32, maxYoungGenerationSizeMb: 4 }

interface Errand {
  readonly recipientPublicKey: Uint8Array
  readonly done: (setups: Uint8Array) => void
  readonly failed: (cause: Error) => void
}

/**
 * Starts the thread. Its contexts are used only after it has passed a known-answer test, and each answer must
 * name the requested key. The thread doesn't keep the process alive and gets no environment variables. After
 * a first failure, or close(), every call rejects and the thread is ended.
 */
export function startSetupThread(file: URL = FILE): SetupPreparer {
  const worker = new Worker(file, { env: {}, resourceLimits: LIMITS, name: 'sotto-setups' })
  worker.unref()
  let proven = false
  let failure: Error | undefined
  const errands: Errand[] = []

  function fail(cause: Error): void {
    failure ??= cause
    for (const { failed } of errands.splice(0)) failed(cause)
    void worker.terminate()
  }
  function answered(message: unknown): void {
    if (!(message instanceof Uint8Array)) return fail(new Error('the thread said something else'))
    if (!proven) {
      proven = setupProof.holds(message)
      if (!proven) fail(new Error('the thread’s cryptography failed its known-answer test'))
      return
    }
    const errand = errands.shift()
    if (!errand) return fail(new Error('the thread answered what nobody asked'))
    const keyBytes = errand.recipientPublicKey.byteLength
    if (Buffer.compare(message.subarray(0, keyBytes), errand.recipientPublicKey) !== 0) {
      errands.unshift(errand)
      return fail(new Error('the thread prepared for another key'))
    }
    errand.done(message.subarray(keyBytes))
  }

  worker.on('message', answered)
  worker.on('error', fail)
  worker.on('exit', () => fail(new Error('the thread ended')))
  return {
    prepare: (recipientPublicKey, count) =>
      new Promise((done, failed) => {
        if (failure !== undefined) return failed(failure)
        errands.push({ recipientPublicKey, done, failed })
        worker.postMessage({ recipientPublicKey, count })
      }),
    close: () => fail(new Error('closed')),
  }
}
