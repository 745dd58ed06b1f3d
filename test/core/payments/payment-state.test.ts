import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { PaymentRecord } from '../../../src/core/payments/index.ts'
import { nextRecord, type PaymentEvent } from '../../../src/core/payments/payment-state.ts'
import { isPaid, isUncertain, mayBePaid } from '../../../src/shared/payment-record.ts'
import { mintInvoice } from './mint-invoice.ts'
import { HOST, searchRequest, START } from './payer-world.ts'

const { invoice, preimage, paymentHash } = mintInvoice({ preimage: Buffer.alloc(32, 8) })
const quoted: PaymentRecord = {
  id: 'p',
  at: START,
  caller: { kind: 'window' },
  host: HOST,
  state: 'quoted',
  invoice,
  paymentHash,
  amountMsat: 14_000n,
  expiresAt: START + 1,
  attempts: 0,
  purpose: {
    kind: 'request',
    request: searchRequest,
    subject: 's',
    challenge: { scheme: 'l402', invoice, token: 'token', stated: {} },
  },
}

const file = { contentType: 'a/b', bytes: 1 }
const at = fc.nat()
const events: fc.Arbitrary<PaymentEvent> = fc.oneof(
  fc.constantFrom<PaymentEvent>(
    { type: 'declined' },
    { type: 'ran-out' },
    { type: 'held' },
    { type: 'unresolved' },
    { type: 'gone' },
    { type: 'sent' },
    { type: 'delivered' },
    { type: 'retried' },
    { type: 'given-up' },
    { type: 'forgotten' },
    { type: 'not-paid', code: 'wallet/budget-exceeded' },
    { type: 'undelivered', code: 'payment/undelivered' },
    { type: 'answered', status: 200, file },
    { type: 'kept', file },
    { type: 'job', job: { id: 'j', status: 'pending' } },
  ),
  fc.record({ type: fc.constant('reserved' as const), at, wallet: fc.constant('ab') }),
  fc.record({
    type: fc.constant('settled' as const),
    preimage: fc.constantFrom(preimage, preimage, '', '00'.repeat(32), preimage.toUpperCase()),
    at,
  }),
)
const histories = fc.array(events, { maxLength: 40 })

test('any sequence of events pays at most once, and never undoes a payment', () => {
  fc.assert(
    fc.property(histories, (history) => {
      let record = quoted
      let asked = 0
      for (const event of history) {
        const next = nextRecord(record, event)
        if (event.type === 'reserved' && next !== record) asked++
        // A paid record never becomes unpaid.
        if (isPaid(record.state)) expect(isPaid(next.state)).toBe(true)
        // Only a preimage that proves the payment makes a record paid.
        if (isPaid(next.state) && !isPaid(record.state))
          expect(event).toMatchObject({ type: 'settled', preimage })
        // After the wallet was asked to pay, only a certain result ends the doubt.
        if (isUncertain(record.state) && !isUncertain(next.state))
          expect(['settled', 'not-paid', 'gone']).toContain(event.type)
        // A hash that may have been paid stays so, unless it certainly was not paid.
        if (mayBePaid(record) && !mayBePaid(next))
          expect([event.type, next.state]).toEqual(['not-paid', 'failed'])
        // Money that may have left counts, regardless of later events.
        if (isUncertain(next.state) || (isPaid(next.state) && asked > 0))
          expect(next.reservedAt).toBe(record.reservedAt ?? next.reservedAt)
        expect([next.id, next.paymentHash, next.amountMsat, next.invoice]).toEqual([
          quoted.id,
          quoted.paymentHash,
          quoted.amountMsat,
          quoted.invoice,
        ])
        expect(next.attempts).toBeGreaterThanOrEqual(record.attempts)
        record = next
      }
      expect(asked).toBeLessThanOrEqual(1)
      // A paid but undelivered record has everything that delivery requires, unless a day passes without a request
      // for it.
      if (record.state === 'paid' || record.state === 'undelivered') expect(record.preimage).toBe(preimage)
      // An abandoned record has everything that a claim requires, and no request to send.
      if (record.state === 'given-up')
        expect([record.preimage, record.purpose]).toEqual([
          preimage,
          expect.objectContaining({
            challenge: expect.anything() as unknown,
            request: expect.objectContaining({ body: new Uint8Array(0) }) as unknown,
          }),
        ])
      if (record.state === 'delivered')
        expect([record.preimage, record.purpose]).toEqual([
          undefined,
          expect.not.objectContaining({ challenge: expect.anything() as unknown }),
        ])
    }),
    { numRuns: 3000 },
  )
})

test('a repeated event changes nothing', () => {
  fc.assert(
    fc.property(histories, events, (history, event) => {
      if (['sent', 'kept', 'answered', 'job', 'forgotten'].includes(event.type)) return
      const once = nextRecord(history.reduce(nextRecord, quoted), event)
      expect(nextRecord(once, event)).toBe(once)
    }),
    { numRuns: 1000 },
  )
})

test('a paid, reserved or uncertain payment can’t be declined, expire or be removed', () => {
  fc.assert(
    fc.property(
      histories,
      fc.constantFrom<PaymentEvent>({ type: 'declined' }, { type: 'ran-out' }, { type: 'forgotten' }),
      (history, event) => {
        const record = history.reduce(nextRecord, quoted)
        if (isUncertain(record.state) || isPaid(record.state)) expect(nextRecord(record, event)).toBe(record)
      },
    ),
    { numRuns: 1000 },
  )
})
