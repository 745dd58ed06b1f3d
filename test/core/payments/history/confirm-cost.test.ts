import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { confirmCost } from '../../../../src/core/payments/history/confirm-cost.ts'
import { createKeyBudgets, type KeyBudgets } from '../../../../src/core/payments/index.ts'
import { createStore, type Store } from '../../../../src/core/storage/index.ts'
import { SottoError } from '../../../../src/shared/errors.ts'
import type { Receipt } from '../../../../src/shared/receipt.ts'
import { limitClockOf } from '../scripted-clock.ts'
import { KEY, receipt as example } from '../../storage/examples.ts'
import { record } from './growing-list.ts'

const DAY_MS = 86_400_000
const NOON = Date.UTC(2026, 10, 18, 12)

let store: Store
let budgets: KeyBudgets
let clock: { now: number }
let keyId: string
beforeEach(() => {
  store = createStore({ folder: null, key: KEY, now: Date.now })
  clock = { now: NOON }
  keyId = store.localKeys.add({
    name: 'K',
    hash: 'aa'.repeat(32),
    limits: { budget: { picoUsd: 10_000n, period: 'day' } },
  }).id
  budgets = createKeyBudgets({
    journal: store.spending,
    limitsOf: (id) => store.localKeys.get(id)?.limits ?? {},
    clock: limitClockOf(() => clock.now),
  })
})
afterEach(() => store.close())

function charge(id: string, most: bigint): Receipt {
  const reservation = budgets.reserve(keyId, most)
  const receipt = example(id, {
    caller: { kind: 'proxy', localKeyId: keyId },
    cost: '999999999',
    costDoubted: true,
    estimate: { least: '0', most: most.toString() },
    charged: reservation.settle('unknown').toString(),
    chargedDay: reservation.day,
  })
  store.receipts.put(receipt)
  return receipt
}
const confirm = (
  receipt: Receipt,
  cost: bigint,
  place: Pick<Store, 'receipts' | 'localKeys' | 'spending'> = store,
): void => confirmCost({ store: place, budgets }, { receipt, record: { ...record(5), cost } })

describe('a confirmed cost', () => {
  it.each([0n, 30n, 100n, 250n])(
    'of %d replaces the reservation of 100 in the budget, and the cost that was stated first stays',
    (cost) => {
      const receipt = charge('a', 100n)
      confirm(receipt, cost)
      const { costDoubted: _, ...rest } = receipt
      expect(store.receipts.get('a')).toEqual({
        ...rest,
        charged: cost.toString(),
        confirmed: { cost: cost.toString(), recordAt: 5 },
      })
      expect(budgets.money(keyId).spent).toBe(cost)
      expect(store.spending.spent(keyId)).toEqual(new Map([[receipt.chargedDay, cost]]))
    },
  )

  it('frees and takes what the next request may cost', () => {
    const receipt = charge('a', 10_000n)
    expect(() => budgets.reserve(keyId, 1n)).toThrow(
      expect.objectContaining({ code: 'budget/exceeded' }) as Error,
    )
    confirm(receipt, 10n)
    budgets.reserve(keyId, 9_990n).settle(0n)
    expect(() => budgets.reserve(keyId, 9_991n)).toThrow(
      expect.objectContaining({ code: 'budget/exceeded' }) as Error,
    )
  })

  it('changes only the sum of its own day, although the period has passed', () => {
    const receipt = charge('a', 100n)
    clock.now += DAY_MS
    budgets.reserve(keyId, 5n).settle(5n)
    confirm(receipt, 30n)
    expect(budgets.money(keyId).spent).toBe(5n)
    expect(store.spending.spent(keyId)).toEqual(
      new Map([
        [receipt.chargedDay, 30n],
        [(receipt.chargedDay ?? 0) + 1, 5n],
      ]),
    )
  })

  it('of a request without a local key, or of a key of another computer, changes no budget', () => {
    const window = example('w', { caller: { kind: 'window' }, costDoubted: true })
    const restored = example('r', {
      caller: { kind: 'proxy', localKeyId: 'elsewhere' },
      costDoubted: true,
      charged: '100',
      chargedDay: 1,
    })
    for (const receipt of [window, restored]) {
      store.receipts.put(receipt)
      confirm(receipt, 30n)
      expect(store.receipts.get(receipt.id)).toMatchObject({ confirmed: { cost: '30' } })
    }
    expect(store.spending.spent('elsewhere')).toEqual(new Map())
  })

  it('that the disk refuses changes nothing, and is confirmed by the next reading', () => {
    const receipt = charge('a', 100n)
    const refusing = {
      ...store,
      spending: {
        ...store.spending,
        correct: () => {
          throw new SottoError('store/unwritable')
        },
      },
    }
    confirm(receipt, 30n, refusing)
    expect(store.receipts.get('a')).toEqual(receipt)
    expect(budgets.money(keyId).spent).toBe(100n)
    confirm(receipt, 30n)
    expect(budgets.money(keyId).spent).toBe(30n)
  })
})

it('however often and in whatever order histories are read, the budget ends at the confirmed sum', () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.record({
          most: fc.bigInt({ min: 0n, max: 50n }),
          cost: fc.bigInt({ min: 0n, max: 200n }),
          days: fc.integer({ min: 0, max: 2 }),
        }),
        { minLength: 1, maxLength: 6 },
      ),
      fc.array(fc.nat({ max: 5 }), { maxLength: 30 }),
      (requests, reads) => {
        const { id } = store.localKeys.add({
          name: 'P',
          hash: String(Math.random()).padEnd(64, '0'),
          limits: {},
        })
        keyId = id
        clock.now = NOON
        const receipts = requests.map(({ most, days }, index) => {
          clock.now += days * DAY_MS
          return charge(`${id}-${String(index)}`, most)
        })
        for (const read of reads) {
          const [receipt, request] = [receipts[read], requests[read]]
          if (receipt && request) confirm(receipt, request.cost)
        }
        const expected = requests.reduce(
          (sum, { most, cost }, index) => sum + (reads.includes(index) ? cost : most),
          0n,
        )
        expect([...store.spending.spent(id).values()].reduce((sum, spent) => sum + spent, 0n)).toBe(expected)
        store.localKeys.change(id, { limits: { budget: { picoUsd: 10n ** 6n, period: 'total' } } })
        expect(budgets.money(id).spent).toBe(expected)
      },
    ),
    { numRuns: 60 },
  )
})
