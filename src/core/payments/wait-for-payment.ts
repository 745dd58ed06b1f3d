import type { Payer, PaymentRecord } from './index.ts'

/** The time that a person watches a button. After that, the state shows the progress. */
const TIMEOUT_MS = 20_000

/**
 * Runs a payment or a delivery, and returns the record when it's over, or when it takes longer than a person
 * waits; it then continues. While a confirmation is open, nothing has begun, and the wait doesn't end. If the
 * caller disconnects, only work that hasn't begun ends.
 */
export async function waitForPayment(
  payer: Pick<Payer, 'get'>,
  id: string,
  run: (signal: AbortSignal) => Promise<PaymentRecord>,
  gone: AbortSignal | undefined,
): Promise<PaymentRecord> {
  const running = run(gone ?? new AbortController().signal)
  // The record reports a later failure.
  running.catch(() => undefined)
  for (;;) {
    const timer = Promise.withResolvers<null>()
    const timeout = setTimeout(() => timer.resolve(null), TIMEOUT_MS)
    try {
      const ended = await Promise.race([running, timer.promise])
      if (ended) return ended
    } finally {
      clearTimeout(timeout)
    }
    const record = payer.get(id)
    if (record && record.state !== 'quoted') return record
  }
}
