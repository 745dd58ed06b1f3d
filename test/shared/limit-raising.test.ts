import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { raisings } from '../../src/shared/lightning.ts'
import { renderEnglish } from '../../src/shared/localized-text.ts'

const limits = { perPayment: '1000', perDay: '2000', perHostAndDay: '3000', automaticUpTo: '0' }

describe('the permissions that a change of limits adds', () => {
  it('include each raised limit', () => {
    expect(
      raisings(limits, {
        perPayment: '1001',
        perDay: '2000',
        perHostAndDay: '3000000000',
        automaticUpTo: '500',
      }).map((each) => renderEnglish([each])),
    ).toEqual([
      'pay up to 1.001 sats per payment',
      'spend up to 3,000,000 sats in 24 hours at one service',
      'pay up to 0.5 sats without asking',
    ])
  })
  it('are empty if no limit is raised: numbers are compared, not texts', () => {
    expect(raisings({ ...limits, perDay: '10000' }, { ...limits, perDay: '9999' })).toEqual([])
    expect(
      raisings(limits, { perPayment: '0', perDay: '0', perHostAndDay: '0', automaticUpTo: '0' }),
    ).toEqual([])
  })
  it('include a limit if it is higher, and only then', () => {
    const amount = fc.bigInt({ min: 0n, max: 10n ** 21n })
    fc.assert(
      fc.property(
        amount,
        amount,
        (from, to) =>
          raisings({ ...limits, perDay: String(from) }, { ...limits, perDay: String(to) }).length > 0 ===
          to > from,
      ),
    )
  })
})
