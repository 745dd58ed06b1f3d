import { expect, test } from 'vitest'
import { CircuitBreaker } from '../../../src/core/payments/circuit-breaker.ts'
import type { PaymentRecord } from '../../../src/shared/payment-record.ts'
import { payment } from '../storage/payment-examples.ts'
import { MemoryPayments } from './memory-payments.ts'

const NOW = 1_800_000_000_000
const DAY = 86_400_000

/** Three that were paid and not delivered, the last of them at this moment. */
function undelivered(journal: MemoryPayments, at: number, name: string): void {
  for (const back of [2, 1, 0]) {
    const record: PaymentRecord = payment(`${name}-${String(back)}`, {
      state: 'undelivered',
      paidAt: at - back,
      reservedAt: at - back,
      paymentHash: `${name}${String(back)}`.padEnd(64, '0'),
    })
    journal.put(record)
  }
}

function breakerAt(clock: { now: number }, journal: MemoryPayments) {
  const stored = { at: 0 }
  const open = () =>
    new CircuitBreaker(journal, () => clock.now, {
      read: () => stored.at,
      write: (at) => void (stored.at = at),
    })
  return { breaker: open(), open }
}

test('a resume while the clock was ahead doesn’t hide payments that are undelivered after it is corrected', () => {
  const [clock, journal] = [{ now: NOW + 10 * DAY }, new MemoryPayments()]
  const { breaker } = breakerAt(clock, journal)
  breaker.resume()
  clock.now = NOW
  undelivered(journal, NOW - 1, 'b')
  expect(breaker.paused()).toEqual({ reason: 'undelivered' })
})

test('a resume after the clock is corrected covers undelivered payments with times in the future', () => {
  const [clock, journal] = [{ now: NOW }, new MemoryPayments()]
  const { breaker, open } = breakerAt(clock, journal)
  undelivered(journal, NOW + 10 * DAY, 'a')
  expect(breaker.paused()).toEqual({ reason: 'undelivered' })
  breaker.resume()
  expect(breaker.paused()).toBeNull()
  // Three more stop it again.
  clock.now += 5_000
  undelivered(journal, clock.now, 'b')
  expect(breaker.paused()).toEqual({ reason: 'undelivered' })
  breaker.resume()
  expect([breaker.paused(), open().paused()]).toEqual([null, { reason: 'undelivered' }])
})

test('wallet errors with times in the future pause payments for ten minutes after a start, not until those times', () => {
  const [clock, journal] = [{ now: NOW }, new MemoryPayments()]
  for (let error = 0; error < 5; error += 1)
    journal.put(
      payment(String(error), {
        state: 'unknown',
        wallet: 'a',
        reservedAt: NOW + 10 * DAY,
        paymentHash: String(error).padEnd(64, '0'),
      }),
    )
  const { breaker } = breakerAt(clock, journal)
  expect(breaker.paused()).toEqual({ reason: 'wallet', until: NOW + 600_000 })
  clock.now += 600_000
  expect(breaker.paused()).toBeNull()
})
