import { SottoError } from './errors.ts'

/** Node runs a timer with a longer delay at once. */
export const LONGEST_TIMER_MS = 2 ** 31 - 1

/** Waits any time, or rejects with request/canceled when the signal is aborted. */
export function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    let timer: ReturnType<typeof setTimeout>
    const stop = (): void => {
      clearTimeout(timer)
      reject(new SottoError('request/canceled'))
    }
    const begin = (left: number): void => {
      timer = setTimeout(
        () => {
          if (left > LONGEST_TIMER_MS) return begin(left - LONGEST_TIMER_MS)
          signal?.removeEventListener('abort', stop)
          resolve()
        },
        Math.min(left, LONGEST_TIMER_MS),
      )
    }
    begin(ms)
    if (signal?.aborted) stop()
    else signal?.addEventListener('abort', stop, { once: true })
  })
}

/** Waits, or resolves early when the signal is aborted, which the caller checks. */
export function delay(ms: number, signal: AbortSignal): Promise<void> {
  return sleep(ms, signal).catch(() => undefined)
}
