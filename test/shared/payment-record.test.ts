import { expect, test } from 'vitest'
import { hasEndedUnproven, isOpen, isPaid, isUncertain, mayBePaid } from '../../src/shared/payment-record.ts'
import { paymentStates } from '../../src/shared/purchase.ts'

test('each state of a payment counts, is open and is paid again as its outcome permits', () => {
  const rules = paymentStates.map((state) => [
    state,
    [
      isUncertain(state) && 'uncertain',
      isPaid(state) && 'paid',
      hasEndedUnproven(state) && 'ended unproven',
      isOpen(state) && 'open',
      mayBePaid({ state }) && 'may be paid',
      mayBePaid({ state, reservedAt: 0 }) && 'may be paid once reserved',
    ].filter((rule) => rule !== false),
  ])
  const ofEither = ['may be paid', 'may be paid once reserved']
  expect(Object.fromEntries(rules)).toEqual({
    quoted: ['open'],
    declined: ['ended unproven'],
    paying: ['uncertain', 'open', ...ofEither],
    held: ['uncertain', 'open', ...ofEither],
    unknown: ['uncertain', 'open', ...ofEither],
    closed: ['ended unproven', ...ofEither],
    failed: ['ended unproven'],
    expired: ['ended unproven', 'may be paid once reserved'],
    paid: ['paid', 'open', ...ofEither],
    delivered: ['paid', ...ofEither],
    undelivered: ['paid', 'open', ...ofEither],
    'given-up': ['paid', 'open', ...ofEither],
  })
})
