import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { whatItBuys } from '../../src/renderer/features/wallet/balance-buys.ts'
import { formatBalance, statusOfBalance } from '../../src/renderer/features/wallet/balance-words.ts'
import { decimalUsd } from '../../src/shared/money.ts'
import type { Receipt } from '../../src/shared/receipt.ts'

describe('a balance', () => {
  test.each([
    ['4219000000000', '$4.21'],
    ['4210000000000', '$4.21'],
    ['1234567890000000', '$1,234.56'],
    ['99999999999', '$0.099'],
    ['4570000000', '0.45¢'],
    ['18150000', '0.0018¢'],
    ['0', '$0.00'],
    ['-311000000000', '−$0.32'],
    ['-1', '−0.0000000001¢'],
  ])('%s pico-USD is shown as %s', (pico, shown) => expect(formatBalance(pico)).toBe(shown))

  test('is never shown as more than it is', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(10n ** 16n), max: 10n ** 16n }), (pico) => {
        const text = formatBalance(String(pico)).replace('−', '-').replaceAll(/[$,]/g, '')
        const shown = text.endsWith('¢') ? Number(text.slice(0, -1)) / 100 : Number(text)
        expect(shown).toBeLessThanOrEqual(Number(decimalUsd(pico)) + 1e-9 * Math.abs(shown))
      }),
    )
  })

  test.each([
    ['-1', 10n ** 12n, 'owing'],
    ['0', 0n, 'empty'],
    ['999999999999', 10n ** 12n, 'low'],
    ['1000000000000', 10n ** 12n, 'enough'],
    ['1', 0n, 'enough'],
    ['1', undefined, 'enough'],
  ] as const)('of %s with the alert at %s is %s', (pico, below, expected) =>
    expect(statusOfBalance(pico, below)).toBe(expected),
  )
})

describe('the estimate of what a balance buys', () => {
  const now = 1_790_000_000_000
  const receipt = (part: Partial<Receipt>): Receipt => ({
    id: 'r',
    at: now - 1000,
    caller: { kind: 'window' },
    service: 'service',
    model: 'm',
    path: '/private/v1/chat/completions',
    privacy: 'sealed',
    outcome: 'complete',
    bytesSent: 1,
    bytesReceived: 1,
    ...part,
  })

  test('is the balance divided by the average cost, for each kind, rounded down to two digits', () => {
    const estimate = whatItBuys(
      '4210000000000',
      [
        receipt({ cost: '1000000000' }),
        receipt({ cost: '2000000000' }),
        receipt({ path: '/v1/images/generations', privacy: 'forwarded', cost: '80500000000' }),
      ],
      now,
    )
    expect(estimate).toEqual([
      { kind: 'private-replies', count: 2800n },
      { kind: 'images', count: 52n },
    ])
  })

  test('counts relayed replies together with visible ones', () => {
    const reply = { path: '/v1/chat/completions', cost: '1000000000' }
    expect(
      whatItBuys(
        '1000000000000',
        [
          receipt({ ...reply, privacy: 'relayed' }),
          receipt({ ...reply, privacy: 'forwarded', cost: '3000000000' }),
        ],
        now,
      ),
    ).toEqual([{ kind: 'replies', count: 500n }])
  })

  test('uses the last twenty of a kind', () => {
    const old = Array.from({ length: 30 }, (_, index) =>
      receipt({ at: now - 60_000 - index, cost: '9000000000000' }),
    )
    const recent = Array.from({ length: 20 }, (_, index) => receipt({ at: now - index, cost: '1000000000' }))
    expect(whatItBuys('1000000000000', [...old, ...recent], now)).toEqual([
      { kind: 'private-replies', count: 1000n },
    ])
  })

  test.each([
    ['no receipt', '1000000000000', []],
    ['only a free one', '1000000000000', [receipt({ cost: '0' })]],
    ['no cost that is known', '1000000000000', [receipt({})]],
    ['only one of two months ago', '1000000000000', [receipt({ cost: '1', at: now - 60 * 86_400_000 })]],
    ['only a failed one', '1000000000000', [receipt({ cost: '1', outcome: 'failed' })]],
    ['nothing on it', '0', [receipt({ cost: '1000000000' })]],
    ['less than nothing on it', '-1', [receipt({ cost: '1000000000' })]],
  ])('is omitted if there is %s', (_, balance, receipts) =>
    expect(whatItBuys(balance, receipts, now)).toEqual([]),
  )
})
