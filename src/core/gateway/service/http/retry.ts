import { SottoError } from '../../../../shared/errors.ts'
import { sleep } from '../../../../shared/sleep.ts'

/** How a failed read is retried. The client has one policy, and tests pass their own. */
export interface RetryPolicy {
  /** The number of attempts, including the first. */
  readonly attempts: number
  readonly firstDelayMs: number
  readonly longestDelayMs: number
  /** From 0 to below 1. */
  readonly random: () => number
  /** Waits, or rejects when the signal is aborted. */
  readonly wait: (ms: number, signal: AbortSignal | undefined) => Promise<void>
}

export const retryPolicy: RetryPolicy = {
  attempts: 3,
  firstDelayMs: 400,
  longestDelayMs: 10_000,
  random: Math.random,
  wait: sleep,
}

/** Failures that another attempt may not have. */
const PASSING = new Set<string>([
  'service/unreachable',
  'service/interrupted',
  'service/unavailable',
  'service/rate-limited',
])

/**
 * Retries `read` while it fails for a temporary reason: after the service's Retry-After, otherwise after a
 * delay that doubles. A random part of up to half of the delay is subtracted, so that many callers don't
 * retry at the same time. A Retry-After beyond the longest delay isn't waited for. Only for reads: a request
 * that changes something, or costs money, is sent once.
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
