import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { afterAnswer, isAskedAbout, isOpen } from '../../../../src/core/payments/topups/topup-poll.ts'
import { topupView } from '../../../../src/core/payments/topups/topup-view.ts'
import { topupInvoiceSchema } from '../../../../src/core/gateway/service/account/topup-invoice.ts'
import type { TopupRecord } from '../../../../src/core/storage/index.ts'
import { topupStatus } from '../../../../src/shared/topup-status.ts'
import type { Topup } from '../../../../src/shared/topup.ts'

const NOW = 1_800_000_000_000
const DAY = 86_400_000
const ADDRESS = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'

/** 0.0001 BTC, asked for in satoshis. */
const record: TopupRecord = {
  id: 'topup-1',
  accountId: 'first',
  invoiceId: 'invoice1',
  method: 'btc',
  state: 'new',
  amount: '10000',
  currency: 'SATS',
  createdAt: NOW,
  expiresAt: NOW + 3_600_000,
  coinAmount: '0.0001',
  address: ADDRESS,
}
const read = (fields: object, from: TopupRecord = record, now = NOW): TopupRecord =>
  afterAnswer(from, topupInvoiceSchema.parse({ invoice_id: 'invoice1', ...fields }), undefined, now)
const view = (from: TopupRecord, now = NOW): Topup =>
  topupView(from, undefined, { network: 'bitcoin', payable: true, label: 'S', now })
const amountAsked = (from: TopupRecord, now = NOW) =>
  /[?]amount=([\d.]+)/.exec(view(from, now).uri ?? '')?.[1]

describe('the states that the service reports', () => {
  it.each([
    ['New', 'new'],
    ['new', 'new'],
    ['NEW', 'new'],
    ['Processing', 'processing'],
    ['Settled', 'settled'],
    ['settled', 'settled'],
    ['Complete', 'settled'],
    ['COMPLETED', 'settled'],
    ['Confirmed', 'settled'],
    ['PaidOver', 'settled'],
    ['paid_over', 'settled'],
    ['PaidPartial', 'new'],
    ['paid-partial', 'new'],
    ['Paid Partial', 'new'],
    ['Expired', 'expired'],
    ['PaidLate', 'expired'],
    ['Invalid', 'invalid'],
    ['Refunded', 'refunded'],
    ['Replaced', 'replaced'],
    ['constructor', 'unknown'],
    ['', 'unknown'],
    ['Paid by carrier pigeon', 'unknown'],
  ])('%j is %s', (status, state) => expect(read({ status }).state).toBe(state))

  it('are settled for Paid on a Lightning invoice, and waiting for confirmation on a coin address', () => {
    expect(read({ status: 'Paid' }).state).toBe('processing')
    const { address: _, ...lightning } = record
    for (const status of ['Paid', 'paid'])
      expect(
        read({ status }, { ...lightning, method: 'btc-lightning', lightningInvoice: 'lnbc1' }).state,
      ).toBe('settled')
  })
})

describe('a partial payment', () => {
  it.each([
    ['in the coin', { status: 'New', amount_paid: '0.00009', amount_due: '0.00001' }],
    ['as numbers', { status: 'New', amount_paid: 0.00009, amount_due: 1e-5 }],
    ['in satoshis', { status: 'New', amount_paid: 9000, amount_due: '1000' }],
    ['with a due amount that can’t be read', { status: 'New', amount_paid: '0.00009', amount_due: 'much' }],
    ['without a due amount', { status: 'PaidPartial', amount_paid: '0.00009' }],
    [
      'by a second word',
      {
        status: 'New',
        additional_status: 'PaidPartial',
        amount_paid: '0.00009',
        amount_due: '0.00001',
        crypto_amount_due: '0.0001',
      },
    ],
  ])('%s is shown, and the rest is requested at the same address', (_how, fields) => {
    const part = read(fields)
    expect(view(part)).toMatchObject({
      state: 'new',
      received: { paid: '0.00009', covers: 'part', due: '0.00001' },
      address: ADDRESS,
      uri: `bitcoin:${ADDRESS}?amount=0.00001&label=S`,
    })
    const late = read({ ...fields, status: 'Expired' }, part)
    expect(view(late)).toMatchObject({ state: 'expired', received: { paid: '0.00009', covers: 'part' } })
    expect(view(late)).not.toHaveProperty('uri')
    expect([isOpen(late, undefined, NOW), isAskedAbout(late, NOW)]).toEqual([false, true])
    expect(view(part, NOW + 3_600_000)).not.toHaveProperty('uri')
  })

  it('is shown like in the published example', () => {
    const part = read({
      status: 'New',
      amount: 10_000,
      currency: 'SATS',
      crypto_amount_due: '0.0001',
      amount_paid: '0.00009',
      amount_due: '0.00001',
    })
    expect([part.received, amountAsked(part)]).toEqual([
      { paid: '0.00009', covers: 'part', due: '0.00001' },
      '0.00001',
    ])
  })

  it.each([
    ['more than the rest', { amount_paid: '0.00009', amount_due: '0.001' }],
    ['less than the rest', { amount_paid: '0.00009', amount_due: '0.000009' }],
    [
      'another address',
      {
        amount_paid: '0.00009',
        amount_due: '0.00001',
        payment_address: '1BoatSLRHtKNngkdXEeobR76b53LETtpyT',
      },
    ],
    ['finer than the coin', { amount_paid: '0.00009', amount_due: '0.000000001' }],
  ])('is shown without a request for the rest if the service names %s', (_how, fields) => {
    const part = read({ status: 'New', ...fields })
    expect(part.received).toEqual({ paid: '0.00009', covers: 'part' })
    expect(view(part)).not.toHaveProperty('uri')
  })

  it('counts as money even if its amount can’t be read', () => {
    for (const fields of [
      { status: 'PaidPartial' },
      { status: 'New', amount_paid: '5', amount_due: '5' },
      { status: 'New', amount_paid: '1e39' },
    ]) {
      const part = read(fields)
      expect(part).toMatchObject({ state: 'new', received: {} })
      expect(view(part)).not.toHaveProperty('uri')
    }
  })

  it('isn’t requested again if the service later reports less', () => {
    const part = read({ status: 'New', amount_paid: '0.00009', amount_due: '0.00001' })
    const less = read({ status: 'New', amount_paid: '0.00001', amount_due: '0.00009' }, part)
    expect(less.received).toEqual({ paid: '0.00009', covers: 'part' })
    expect(view(less)).not.toHaveProperty('uri')
  })

  it('remains if the service no longer reports it', () => {
    const part = read({ status: 'New', amount_paid: '0.00009', amount_due: '0.00001' })
    const later = read({ status: 'New', amount_paid: 0, amount_due: '0.0001' }, part)
    expect(later.received).toEqual({ paid: '0.00009', covers: 'part' })
    expect(view(later)).not.toHaveProperty('uri')
  })
})

it.each([
  ['the whole amount', '0.0001', '0', 'processing'],
  ['too much', '0.00012', '0', 'processing'],
  ['a little less, and nothing is due', '0.000099', '0', 'processing'],
])(
  '%s is a payment that waits for confirmation, even while the service reports it as new',
  (_what, amount_paid, amount_due, state) => {
    const paid = read({ status: 'New', amount_paid, amount_due })
    expect(paid).toMatchObject({ state, received: { paid: amount_paid } })
    expect(view(paid)).not.toHaveProperty('uri')
  },
)

test('a received amount of zero changes nothing', () => {
  for (const amount_paid of [0, '0', '0.00', null, undefined, '-1'])
    expect(read({ status: 'New', amount_paid, amount_due: '0.0001' })).toEqual(record)
})

test('an ended invoice is polled until the service no longer has it', () => {
  for (const status of ['Expired', 'Invalid', 'Replaced', 'Refunded', 'PaidLate']) {
    const ended = read({ status }, record, NOW + DAY)
    expect([status, isOpen(ended, undefined, NOW + DAY), isAskedAbout(ended, NOW + 30 * DAY)]).toEqual([
      status,
      false,
      true,
    ])
    const gone = afterAnswer(ended, null, undefined, NOW + 4 * DAY)
    expect([gone.state, isAskedAbout(gone, NOW + 4 * DAY)]).toEqual([ended.state, false])
    expect(read({ status: 'Settled', amount_paid: '0.0001' }, ended)).toMatchObject({ state: 'settled' })
  }
  const settled = read({ status: 'Settled' })
  expect(isAskedAbout(settled, NOW)).toBe(false)
  // It isn't asked about any more, and an answer that a person asks for changes it only by a refund.
  for (const status of ['New', 'Processing', 'Expired', 'Invalid', 'Replaced', 'Settled'])
    expect(read({ status }, settled, NOW + DAY)).toEqual(settled)
  expect(afterAnswer(settled, null, undefined, NOW + DAY)).toEqual(settled)
  const refunded = read({ status: 'Refunded' }, settled, NOW + DAY)
  expect(topupStatus(view(refunded), NOW + DAY)).toBe('refunded')
})

test('once any money was reported, no later response causes a request for the whole amount', () => {
  const amount = fc.oneof(
    fc.constantFrom(
      '0',
      0,
      '0.0001',
      '0.00009',
      '0.00001',
      9000,
      1000,
      10_000,
      null,
      '',
      'x',
      '1e-5',
      '-0.0001',
      '99999999',
    ),
    fc.bigInt({ min: 0n, max: 40_000n }).map((sat) => `0.${String(sat).padStart(8, '0')}`),
  )
  const answer = fc.record(
    {
      status: fc.constantFrom(
        'New',
        'new',
        'PaidPartial',
        'Processing',
        'Expired',
        'PaidLate',
        'Invalid',
        'Replaced',
        'Refunded',
        'Odd',
        null,
      ),
      amount_paid: amount,
      amount_due: amount,
      payment_address: fc.constantFrom(ADDRESS, '1BoatSLRHtKNngkdXEeobR76b53LETtpyT', null),
    },
    { requiredKeys: [] },
  )
  fc.assert(
    fc.property(fc.array(fc.option(answer), { maxLength: 8 }), (answers) => {
      let current = record
      let seen = false
      let most = 0
      for (const fields of answers) {
        current = fields === null ? afterAnswer(current, null, undefined, NOW) : read(fields, current)
        seen ||= current.received !== undefined
        if (!seen) continue
        expect(current.received).toBeDefined()
        // Never more than the rest and what a processor may add to it.
        const asked = amountAsked(current)
        most = Math.max(most, Number(current.received?.paid ?? 0) * 1e8)
        if (asked !== undefined) expect(Number(asked) * 1e8).toBeLessThanOrEqual(10_000 - most + 2_500.5)
      }
    }),
    { numRuns: 1000 },
  )
})
