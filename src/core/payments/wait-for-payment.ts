import type { Payer, PaymentRecord } from './index.ts'

/** As long as a person watches a button; then the state says how far it is. */
const TIMEOUT_MS = 20_000

/**
 * Runs what pays or delivers, and comes back with the record when that is over, or when it takes longer than a person waits;
 * it then goes on. While a question is open, nothing was begun yet, and the wait does not end. Whoever asked may go: that ends
 * what has not begun, and nothing else.
 */
export async function waitForPayment(
  payer: Pick<Payer, 'get'>,
  id: string,
  run: (signal: AbortSignal) => Promise<PaymentRecord>,
  gone: AbortSignal | undefined,
): Promise<PaymentRecord> {
  const running = run(gone ?? new AbortController().signal)
  // What fails later is told by its record.
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
