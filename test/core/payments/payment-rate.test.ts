import { expect, test } from 'vitest'
import { PaymentRate } from '../../../src/core/payments/payment-rate.ts'

const tooMany: unknown = expect.objectContaining({ code: 'payment/over-limit' })

function rateOf(inJournal = 0): { clock: { now: number }; pay: () => void } {
  const clock = { now: 5_000 }
  const rate = new PaymentRate(
    () => clock.now,
    () => inJournal,
  )
  return {
    clock,
    pay() {
      rate.requireCapacity()
      rate.note()
    },
  }
}

test('at most thirty payments begin within a minute, and each frees its place a minute later', () => {
  const { clock, pay } = rateOf()
  for (let paid = 0; paid < 30; paid += 1, clock.now += 1_000) pay()
  expect(pay).toThrow(tooMany)
  clock.now = 5_000 + 60_000
  expect(pay).toThrow(tooMany)
  clock.now += 1
  pay()
  expect(pay).toThrow(tooMany)
  clock.now += 1_000
  pay()
  expect(pay).toThrow(tooMany)
})

test('payments of an earlier process count in the first minute, whatever the clock shows afterward', () => {
  const { clock, pay } = rateOf(30)
  expect(pay).toThrow(tooMany)
  clock.now += 59_999
  expect(pay).toThrow(tooMany)
  clock.now += 1
  pay()
})
