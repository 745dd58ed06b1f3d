import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  choiceOf,
  chooseMethod,
  findOpenInvoice,
  presetsOf,
  sortMethods,
} from '../../src/renderer/features/wallet/topups/topup-choice.ts'
import { mayBePaid } from '../../src/renderer/features/wallet/topups/topup-status.ts'
import { paymentStates } from '../../src/shared/purchase.ts'
import { topupMethodNames, topupStates, type Topup, type TopupMethod } from '../../src/shared/topup.ts'

const NOW = 1_800_000_000_000
const MINUTE = 60_000

const lightning: TopupMethod = {
  method: 'btc-lightning',
  displayName: 'Lightning',
  currencies: [{ currency: 'USD', min: '0.1', max: '1000' }],
}
const bitcoin: TopupMethod = {
  method: 'btc',
  displayName: 'Bitcoin',
  currencies: [{ currency: 'USD', min: '10', max: '10000' }],
}
const satsOnly: TopupMethod = {
  method: 'lbtc',
  displayName: 'Liquid',
  currencies: [{ currency: 'SATS', min: '1' }],
}

const topup: Topup = {
  id: 't1',
  invoiceId: 'i1',
  accountId: 'a1',
  method: 'btc-lightning',
  state: 'new',
  amount: '25',
  currency: 'USD',
  createdAt: NOW,
  expiresAt: NOW + 15 * MINUTE,
  uri: 'LIGHTNING:LNBC1',
  payable: true,
}

describe('the choice of a method and an amount', () => {
  test('has Lightning first, and keeps the order of the others', () =>
    expect(sortMethods([bitcoin, satsOnly, lightning]).map(({ method }) => method)).toEqual([
      'btc-lightning',
      'btc',
      'lbtc',
    ]))

  test('offers the presets within the limits', () => {
    expect(presetsOf(lightning)).toEqual(['5', '10', '25', '50'])
    expect(presetsOf(bitcoin)).toEqual(['10', '25', '50'])
    expect(presetsOf(satsOnly)).toEqual([])
  })

  test('keeps a preset that the method offers, and otherwise takes the lowest', () => {
    expect(chooseMethod(lightning)).toEqual({
      method: 'btc-lightning',
      preset: '25',
      amount: '25',
      currency: 'USD',
    })
    expect(chooseMethod(bitcoin, '5')).toMatchObject({ preset: '10', amount: '10' })
  })

  test('requests nothing until another amount is typed', () => {
    expect(chooseMethod(lightning, 'other')).toEqual({ method: 'btc-lightning', preset: 'other' })
    expect(chooseMethod(satsOnly, '25')).toEqual({ method: 'lbtc', preset: 'other' })
  })

  test('of a top-up is that which created it', () => {
    expect(choiceOf(topup)).toEqual(chooseMethod(lightning))
    expect(choiceOf({ ...topup, amount: '2500', currency: 'SATS' })).toMatchObject({ preset: 'other' })
    expect(choiceOf({ ...topup, amount: '7' })).toMatchObject({ preset: 'other', amount: '7' })
  })
})

describe('an open invoice', () => {
  const find = (part: Partial<Topup>) =>
    findOpenInvoice([{ ...topup, ...part }], chooseMethod(lightning), 'a1', NOW)

  test('of the same method, amount and account is shown again', () =>
    expect(find({})).toMatchObject({ id: 't1' }))

  test.each([
    ['another account', { accountId: 'a2' }],
    ['another amount', { amount: '26' }],
    ['another currency', { currency: 'SATS' }],
    ['another method', { method: 'btc' }],
    ['a part paid', { received: { paid: '0.1', covers: 'part', due: '0.1' } }],
    ['little time left', { expiresAt: NOW + MINUTE }],
    ['an end', { state: 'settled' }],
    ['a payment in progress', { payment: 'paying' }],
    ['a problem', { problem: 'payment/wrong-amount' }],
  ] as const)('with %s is not', (_name, part) => expect(find(part)).toBeUndefined())

  test('is not shown if the active account is unknown', () =>
    expect(findOpenInvoice([topup], chooseMethod(lightning), undefined, NOW)).toBeUndefined())

  test('can always be paid, whatever the states of the top-ups are', () => {
    const any = fc.record(
      {
        id: fc.string(),
        method: fc.constantFrom(...topupMethodNames),
        state: fc.constantFrom(...topupStates),
        payment: fc.constantFrom(...paymentStates),
        expiresAt: fc.integer({ min: NOW - 60 * MINUTE, max: NOW + 60 * MINUTE }),
        problem: fc.constant('payment/wrong-amount'),
      },
      { requiredKeys: ['id'] },
    )
    fc.assert(
      fc.property(fc.array(any), (parts) => {
        const topups = parts.map((part) => ({ ...topup, ...part }))
        const found = findOpenInvoice(topups, chooseMethod(lightning), 'a1', NOW)
        if (found) expect(mayBePaid(found, NOW) && found.method === 'btc-lightning').toBe(true)
      }),
    )
  })
})
