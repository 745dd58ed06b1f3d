import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { currencyOf, limitWords, readAmount } from '../../src/renderer/features/wallet/topups/topup-draft.ts'
import { mayBePaid } from '../../src/renderer/features/wallet/topups/topup-status.ts'
import {
  amountToPay,
  coinWords,
  formatAmount,
  paidWords,
  receivedWords,
} from '../../src/renderer/features/wallet/topups/topup-words.ts'
import { paymentStates } from '../../src/shared/purchase.ts'
import { hasEnded, topupStatus } from '../../src/shared/topup-status.ts'
import { topupStates, type Topup } from '../../src/shared/topup.ts'

const usd = { currency: 'USD', min: '0.1', max: '1000' } as const
const sats = { currency: 'SATS', min: '100', max: '1000000' } as const
const btc = { currency: 'BTC', min: '0.000001', max: '0.01' } as const

describe('an entered amount', () => {
  test.each([
    ['5', usd, '5'],
    ['5.00', usd, '5'],
    [' $5.5 ', usd, '5.5'],
    ['05', usd, '5'],
    ['5.', usd, '5'],
    ['.5', usd, '0.5'],
    ['0.1', usd, '0.1'],
    ['1000', usd, '1000'],
    ['100', sats, '100'],
    ['1000000', sats, '1000000'],
    ['0.00012345', btc, '0.00012345'],
    ['0.00000100', btc, '0.000001'],
  ] as const)('%j for %o is %s', (text, limits, amount) =>
    expect(readAmount(text, limits)).toEqual({ amount }),
  )

  test.each([
    ['0.09', usd, 'Enter $0.10 or more.'],
    ['0', usd, 'Enter $0.10 or more.'],
    ['1000.01', usd, 'Enter $1,000.00 or less.'],
    ['5.001', usd, 'Use at most 2 decimal places.'],
    ['5,00', usd, 'Enter an amount in dollars, such as 5.00.'],
    ['-5', usd, 'Enter an amount in dollars, such as 5.00.'],
    ['1e3', usd, 'Enter an amount in dollars, such as 5.00.'],
    ['0x10', sats, 'Enter whole satoshis, such as 5000.'],
    ['99', sats, 'Enter 100 sats or more.'],
    ['1000001', sats, 'Enter 1,000,000 sats or less.'],
    ['100.5', sats, 'Enter a whole number of satoshis.'],
    ['0.000000999', btc, 'Use at most 8 decimal places.'],
    ['0.00000099', btc, 'Enter 0.000001 BTC or more.'],
    ['.', btc, 'Enter an amount in bitcoin, such as 0.0005.'],
    ['9999999999999', usd, 'Enter an amount in dollars, such as 5.00.'],
  ] as const)('%j for %o is refused: %s', (text, limits, fault) =>
    expect(readAmount(text, limits)).toEqual({ fault }),
  )

  test('is neither valid nor invalid if it is empty', () => expect(readAmount('  ', usd)).toEqual({}))

  test('is within the limits, and has the contract’s format', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ maxLength: 14 }),
          fc.double({ min: 0, max: 2000, noNaN: true }).map(String),
          fc.nat(2_000_000).map(String),
        ),
        fc.constantFrom(usd, sats, btc),
        (text, limits) => {
          const { amount } = readAmount(text, limits)
          if (amount === undefined) return
          expect(amount).toMatch(/^\d{1,12}(\.\d{1,8})?$/)
          expect(Number(amount)).toBeGreaterThanOrEqual(Number(limits.min))
          expect(Number(amount)).toBeLessThanOrEqual(Number(limits.max))
        },
      ),
    )
  })
})

test.each([
  [usd, '$0.10 to $1,000.00'],
  [{ currency: 'SATS', min: '100' } as const, 'Minimum 100 sats'],
  [{ currency: 'BTC', max: '0.5' } as const, 'Maximum 0.5 BTC'],
  [{ currency: 'USD' } as const, 'No limits reported'],
])('the limits %o are shown as %s', (limits, expected) => expect(limitWords(limits)).toBe(expected))

test('a method that doesn’t accept the selected currency uses another one', () => {
  const method = { method: 'btc', displayName: '', currencies: [sats, usd] } as const
  const taking = (currency: 'USD' | 'BTC' | 'SATS') =>
    currencyOf({ ...method, currencies: [...method.currencies] }, currency)?.currency
  expect([taking('SATS'), taking('BTC'), taking('USD')]).toEqual(['SATS', 'USD', 'USD'])
  expect(currencyOf({ ...method, currencies: [] }, 'USD')).toBeUndefined()
})

test.each([
  ['5', 'USD', '$5.00'],
  ['1234.5', 'USD', '$1,234.50'],
  ['1', 'SATS', '1 sat'],
  ['12345', 'SATS', '12,345 sats'],
  ['0.0005', 'BTC', '0.0005 BTC'],
  ['2.00', 'BTC', '2 BTC'],
] as const)('%s %s is shown as %s', (amount, currency, shown) =>
  expect(formatAmount(amount, currency)).toBe(shown),
)

const base: Topup = {
  id: 't',
  invoiceId: 'i',
  accountId: 'a',
  method: 'btc-lightning',
  state: 'new',
  amount: '5',
  currency: 'USD',
  createdAt: 0,
  expiresAt: 1000,
  payable: true,
  uri: 'LIGHTNING:LNBC1',
}

test.each([
  ['btc-lightning', '0.00005', { coin: '0.00005 BTC', sats: '5,000 sats' }],
  ['btc-lightning', '0.00000001001', { coin: '0.00000001001 BTC', sats: '1.001 sats' }],
  ['btc', '1.5', { coin: '1.5 BTC', sats: '150,000,000 sats' }],
  ['lbtc', '0.00012345', { coin: '0.00012345 L-BTC', sats: '12,345 sats' }],
  ['xmr', '0.031415926535', { coin: '0.031415926535 XMR' }],
] as const)('the coin amount of a top-up by %s, %s, is shown exactly', (method, coinAmount, expected) =>
  expect(coinWords({ ...base, method, coinAmount })).toEqual(expected),
)

test.each([
  ['0.00005', '100000', '0.00005 BTC (5,000 sats), plus 100 sats in fees'],
  ['0.00005', '100001', '0.00005 BTC (5,000 sats), plus 100.001 sats in fees (unusually high)'],
  ['0.000001', '5000', '0.000001 BTC (100 sats), plus 5 sats in fees'],
  ['0.000001', '5001', '0.000001 BTC (100 sats), plus 5.001 sats in fees (unusually high)'],
  ['1', undefined, '1 BTC (100,000,000 sats)'],
] as const)(
  'a payment of %s BTC with a fee of %s msat is shown in one sentence, and a fee above 5 sats and 2 %% as high',
  (coinAmount, feeMsat, expected) => {
    const topup: Topup = { ...base, coinAmount, ...(feeMsat !== undefined && { feeMsat }) }
    expect(paidWords(coinWords(topup) ?? { coin: '' }, topup)).toBe(expected)
  },
)

test('a partial payment is shown with the total, and only the rest is to be paid', () => {
  const part: Topup = {
    ...base,
    method: 'btc',
    coinAmount: '0.0001',
    received: { paid: '0.00009', covers: 'part', due: '0.00001' },
  }
  expect([receivedWords(part), amountToPay(part)]).toEqual(['0.00009 of 0.0001 BTC', '0.00001'])
  expect([receivedWords({ ...part, received: {} }), amountToPay({ ...part, received: {} })]).toEqual([
    undefined,
    undefined,
  ])
  expect([receivedWords(base), amountToPay({ ...base, coinAmount: '0.0001' })]).toEqual([undefined, '0.0001'])
})

describe('a top-up', () => {
  test.each([
    [{}, 'waiting'],
    [{ expiresAt: 500 }, 'run-out'],
    [{ state: 'processing' }, 'processing'],
    [{ state: 'settled', payment: 'unknown' }, 'settled'],
    [{ payment: 'paying' }, 'paying'],
    [{ payment: 'held', state: 'expired' }, 'held'],
    [{ payment: 'unknown', expiresAt: 1 }, 'payment-unknown'],
    [{ payment: 'paid' }, 'sent'],
    [{ payment: 'failed' }, 'waiting'],
    [{ state: 'expired' }, 'expired'],
    [{ state: 'invalid' }, 'invalid'],
    [{ state: 'unknown' }, 'unknown'],
    [{ received: { paid: '1', covers: 'part', due: '1' } }, 'part-paid'],
    [{ received: {} }, 'part-paid'],
    [{ received: { paid: '1', covers: 'part', due: '1' }, expiresAt: 500 }, 'run-out'],
    [{ received: { paid: '1', covers: 'part' }, state: 'expired' }, 'part-paid-ended'],
    [{ received: {}, state: 'expired' }, 'part-paid-ended'],
    [{ received: { paid: '1', covers: 'whole' }, state: 'expired' }, 'paid-late'],
    [{ received: { paid: '2', covers: 'more' }, state: 'expired' }, 'paid-late'],
    [{ received: { paid: '2', covers: 'more' }, state: 'settled' }, 'overpaid'],
    [{ received: { paid: '1', covers: 'whole' }, state: 'settled' }, 'settled'],
    [{ received: { paid: '1', covers: 'whole' }, state: 'refunded' }, 'refunded'],
    [{ state: 'replaced' }, 'replaced'],
    [{ payment: 'closed' }, 'payment-closed'],
    [{ payment: 'closed', state: 'expired' }, 'expired'],
    [{ problem: 'payment/wrong-amount' }, 'not-as-asked'],
    [{ problem: 'payment/wrong-amount', state: 'settled' }, 'settled'],
  ] as const)('%o has the status %s', (part, expected) =>
    expect(topupStatus({ ...base, ...part }, 500)).toBe(expected),
  )

  test('is offered for payment only while it waits', () => {
    const states = topupStates
    const some = fc.record({
      state: fc.constantFrom(...states),
      payment: fc.constantFrom(undefined, ...paymentStates),
      now: fc.nat(2000),
      problem: fc.constantFrom(undefined, 'topup/invoice-invalid'),
      uri: fc.constantFrom(undefined, 'LIGHTNING:LNBC1'),
    })
    fc.assert(
      fc.property(some, ({ state, payment, now, problem, uri }) => {
        const { uri: _, ...rest } = base
        const topup: Topup = {
          ...rest,
          state,
          ...(payment && { payment }),
          ...(problem !== undefined && { problem }),
          ...(uri !== undefined && { uri }),
        }
        if (!mayBePaid(topup, now)) return
        expect(state).toBe('new')
        expect(now).toBeLessThan(1000)
        expect(problem).toBeUndefined()
        expect(['paying', 'held', 'unknown', 'paid', 'delivered', 'undelivered', 'closed']).not.toContain(
          payment,
        )
      }),
    )
  })

  test('hasn’t ended while a payment may be in progress', () => {
    expect(hasEnded({ ...base, state: 'expired' })).toBe(true)
    for (const payment of ['paying', 'held', 'unknown'] as const)
      expect(hasEnded({ ...base, state: 'expired', payment })).toBe(false)
  })
})
