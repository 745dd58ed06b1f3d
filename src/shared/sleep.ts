import { SottoError } from './errors.ts'

/** Waits, or rejects with request/canceled when the signal is aborted. */
export function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer)
      reject(new SottoError('request/canceled'))
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }, ms)
    if (signal?.aborted) stop()
    else signal?.addEventListener('abort', stop, { once: true })
  })
}

/** Waits, or resolves early when the signal is aborted, which the caller checks. */
export function delay(ms: number, signal: AbortSignal): Promise<void> {
  return sleep(ms, signal).catch(() => undefined)
}
