import type { ErrorCode } from '../../shared/error-codes.ts'
import { WindowError } from '../ui/failure.ts'
import { startOwnWorker } from '../ui/own-worker.ts'

interface ThreadOptions {
  readonly signal: AbortSignal
  /** The code if the thread ends with an error. */
  readonly failure: ErrorCode
  /** Absent if the reader shows its progress, so that a person can stop it. */
  readonly timeoutMs?: number
}

/**
 * Runs one task in a separate thread. The thread ends with the task, the signal or the timeout: a hostile file can hold
 * up nothing else.
 *
 * @throws {WindowError} with `failure`, or attachment/document-too-large after the timeout
 */
export async function runThread<Result>(
  address: string,
  { signal, failure, timeoutMs }: ThreadOptions,
  task: (thread: Worker) => Promise<Result>,
): Promise<Result> {
  const thread = startOwnWorker(address)
  let timer: ReturnType<typeof setTimeout> | undefined
  const ended = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(new DOMException('It is no longer wanted.', 'AbortError')))
    thread.addEventListener('error', () => reject(new WindowError(failure)))
    if (timeoutMs !== undefined)
      timer = setTimeout(() => reject(new WindowError('attachment/document-too-large')), timeoutMs)
  })
  // Nothing waits for it after the task ends.
  ended.catch(() => undefined)
  try {
    return await Promise.race([task(thread), ended])
  } finally {
    clearTimeout(timer)
    thread.terminate()
  }
}

/** Sends one message to a thread and waits for its answer. The bytes move to the thread. */
export function askThread<Reply>(thread: Worker, message: { readonly bytes: Uint8Array }): Promise<Reply> {
  return new Promise((resolve) => {
    thread.addEventListener('message', ({ data }: MessageEvent<Reply>) => resolve(data), { once: true })
    thread.postMessage(message, [message.bytes.buffer])
  })
}
