import { SottoError } from '../../../../shared/errors.ts'

/** How a read that failed is repeated. The client has one policy; tests give a patient one. */
export interface RetryPolicy {
  /** Of all, the first included. */
  readonly attempts: number
  readonly firstDelayMs: number
  readonly longestDelayMs: number
  /** 0 up to 1. */
  readonly random: () => number
  /** Waits, or rejects with the signal. */
  readonly wait: (ms: number, signal: AbortSignal | undefined) => Promise<void>
}

export const retryPolicy: RetryPolicy = {
  attempts: 3,
  firstDelayMs: 400,
  longestDelayMs: 10_000,
  random: Math.random,
  wait,
}

/** Failures that another try may not meet. */
const PASSING = new Set<string>([
  'service/unreachable',
  'service/interrupted',
  'service/unavailable',
  'service/rate-limited',
])

/**
 * Repeats `read` while it fails for a reason that may pass: after Retry-After where the service gave one, else after a
 * delay that doubles, of which a random half is left out so that many callers do not return at once. A Retry-After beyond
 * the longest delay is not waited for. For reads alone: what changes something, or costs, is sent once.
 */
export async function withRetry<Answer>(
  read: () => Promise<Answer>,
  policy: RetryPolicy,
  signal: AbortSignal | undefined,
): Promise<Answer> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await read()
    } catch (failure) {
      const delay = attempt < policy.attempts ? delayAfter(failure, attempt, policy) : undefined
      if (delay === undefined) throw failure
      await policy.wait(delay, signal)
    }
  }
}

function delayAfter(failure: unknown, attempt: number, policy: RetryPolicy): number | undefined {
  if (!(failure instanceof SottoError) || !PASSING.has(failure.code)) return undefined
  const { retryAfterSeconds } = failure.details
  if (retryAfterSeconds !== undefined)
    return retryAfterSeconds * 1000 <= policy.longestDelayMs ? retryAfterSeconds * 1000 : undefined
  const most = Math.min(policy.firstDelayMs * 2 ** (attempt - 1), policy.longestDelayMs)
  return Math.round(most / 2 + (most / 2) * policy.random())
}

function wait(ms: number, signal: AbortSignal | undefined): Promise<void> {
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
