import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { confirmCost } from '../../../../src/core/payments/history/confirm-cost.ts'
import { DoubtChecks } from '../../../../src/core/payments/history/doubt-checks.ts'
import { createKeyBudgets, type KeyBudgets } from '../../../../src/core/payments/index.ts'
import { keyFingerprint } from '../../../../src/core/gateway/relay/index.ts'
import type { QueryRecord } from '../../../../src/core/gateway/service/account/read/history.ts'
import { createStore, type Store } from '../../../../src/core/storage/index.ts'
import { SottoError } from '../../../../src/shared/errors.ts'
import type { Fetch } from '../../../../src/shared/fetch.ts'
import type { Receipt } from '../../../../src/shared/receipt.ts'
import { limitClockOf } from '../scripted-clock.ts'
import { KEY, receipt as example } from '../../storage/examples.ts'
import { record } from './growing-list.ts'
import { historyService } from './history-service.ts'

const API_KEY = 'key-12345678'
const CHECK_MS = 11 * 60_000
const MOST = 10_000n
const access = { baseUrl: 'https://service.example', apiKey: API_KEY }

let store: Store
let budgets: KeyBudgets
let keyId: string
let records: QueryRecord[]
let requests = 0
let away = false
let checks: DoubtChecks

beforeEach(() => {
  vi.useFakeTimers({ now: Date.UTC(2026, 10, 18, 12), toFake: ['Date', 'setTimeout', 'clearTimeout'] })
  store = createStore({ folder: null, key: KEY, now: Date.now })
  keyId = store.localKeys.add({
    name: 'K',
    hash: 'aa'.repeat(32),
    limits: { budget: { picoUsd: 100_000n, period: 'day' } },
  }).id
  budgets = createKeyBudgets({
    journal: store.spending,
    limitsOf: (id) => store.localKeys.get(id)?.limits ?? {},
    clock: limitClockOf(Date.now),
  })
  records = []
  requests = 0
  away = false
  checks = createChecks()
})
afterEach(() => {
  checks[Symbol.dispose]()
  store.close()
  vi.useRealTimers()
})

function createChecks(): DoubtChecks {
  const answer = historyService(() => records)
  const fetch: Fetch = (...asked) => {
    requests += 1
    return away ? Promise.reject(new SottoError('service/unreachable')) : answer(...asked)
  }
  const place = () => ({
    service: { fetch, access: () => access, now: Date.now },
    store,
    now: Date.now,
    confirm: (found: Parameters<typeof confirmCost>[1]) => confirmCost({ store, budgets }, found),
  })
  return new DoubtChecks({ receipts: store.receipts, place, now: Date.now })
}

/** A request that's charged at its estimate, because the reply states an absurd cost. */
function doubted(id: string, change: Partial<Receipt> = {}): Receipt {
  const reservation = budgets.reserve(keyId, MOST)
  const receipt = example(id, {
    at: Date.now(),
    durationMs: 1_000,
    model: 'sandbox/allegro-mini',
    privacy: 'forwarded',
    serviceKey: keyFingerprint(API_KEY),
    outcome: 'complete',
    caller: { kind: 'proxy', localKeyId: keyId },
    usage: { prompt: 1e15, completion: 1 },
    cost: '999999999',
    costDoubted: true,
    estimate: { least: '0', most: MOST.toString() },
    charged: reservation.settle('unknown').toString(),
    chargedDay: reservation.day,
    ...change,
  })
  store.receipts.put(receipt)
  return receipt
}
const spent = (): bigint => budgets.money(keyId).spent

test('a doubted cost is confirmed and the budget corrected although nobody opens History', async () => {
  const receipt = doubted('a')
  checks.note(receipt)
  records = [record(receipt.at + 500, { cost: 70n })]
  expect([spent(), requests]).toEqual([MOST, 0])
  await vi.advanceTimersByTimeAsync(CHECK_MS)
  expect(store.receipts.get('a')).toMatchObject({ confirmed: { cost: '70' }, charged: '70' })
  expect(spent()).toBe(70n)
  const after = requests
  await vi.advanceTimersByTimeAsync(10 * CHECK_MS)
  expect(requests).toBe(after)
})

test('the record is found behind hundreds of newer ones of its day', async () => {
  const receipt = doubted('a')
  checks.note(receipt)
  records = [
    record(receipt.at, { cost: 70n }),
    ...Array.from({ length: 650 }, (_, index) => record(receipt.at + 120_000 + index)),
  ]
  await vi.advanceTimersByTimeAsync(CHECK_MS)
  expect(spent()).toBe(70n)
})

test('nothing is asked of the service while no cost is doubted', async () => {
  checks.note(example('a', { at: Date.now() }))
  await vi.advanceTimersByTimeAsync(20 * CHECK_MS)
  expect(requests).toBe(0)
})

test('a doubt of an earlier start is checked once after the next start', async () => {
  checks[Symbol.dispose]()
  const receipt = doubted('a')
  records = [record(receipt.at, { cost: 70n })]
  await vi.advanceTimersByTimeAsync(86_400_000)
  expect([spent(), requests]).toEqual([0n, 0])
  checks = createChecks()
  await vi.advanceTimersByTimeAsync(CHECK_MS)
  expect(store.receipts.get('a')).toMatchObject({ confirmed: { cost: '70' } })
})

test('a check that fails is repeated, and a record that never comes is asked for six times', async () => {
  away = true
  const receipt = doubted('a')
  checks.note(receipt)
  await vi.advanceTimersByTimeAsync(CHECK_MS)
  expect([spent(), requests > 0]).toEqual([MOST, true])
  away = false
  records = [record(receipt.at, { cost: 70n })]
  await vi.advanceTimersByTimeAsync(CHECK_MS)
  expect(spent()).toBe(70n)

  records = []
  checks.note(doubted('b'))
  let rounds = 0
  for (let before = requests; rounds < 100; rounds += 1, before = requests) {
    await vi.advanceTimersByTimeAsync(CHECK_MS)
    if (requests === before) break
  }
  expect([rounds, spent()]).toEqual([6, 70n + MOST])
})

test('nothing is asked once the core ends', async () => {
  checks.note(doubted('a'))
  checks[Symbol.dispose]()
  checks.note(doubted('b'))
  await vi.advanceTimersByTimeAsync(3 * CHECK_MS)
  expect(requests).toBe(0)
})
