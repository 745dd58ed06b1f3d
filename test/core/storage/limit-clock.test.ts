import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import {
  createLimitClock,
  limitMarksIn,
  createKeyBudgets,
  type KeyBudgets,
} from '../../../src/core/payments/index.ts'
import { createStore, type Store } from '../../../src/core/storage/index.ts'
import { KEY } from './examples.ts'
import { editFile } from './tampered-file.ts'

const EVENING = Date.parse('2026-10-31T23:00:00-04:00')
const HOUR_MS = 3_600_000
const exceeded: unknown = expect.objectContaining({ code: 'budget/exceeded' })

let folder: string
let wall: number
let zone: string
const stores: Store[] = []

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sotto-limit-clock-'))
  wall = EVENING
  zone = 'America/New_York'
})
afterEach(() => {
  for (const store of stores.splice(0)) store.close()
  rmSync(folder, { recursive: true, force: true })
})

/** A new start over the same folder. The one before may not have closed its store. */
function start(): { store: Store; budgets: KeyBudgets } {
  const store = createStore({ folder, key: KEY, now: () => wall })
  stores.push(store)
  const clock = createLimitClock({
    now: () => wall,
    monotonic: () => 0,
    marks: limitMarksIn(store.settings),
    zone: () => zone,
  })
  return {
    store,
    budgets: createKeyBudgets({
      journal: store.spending,
      limitsOf: () => ({ budget: { picoUsd: 100n, period: 'day' } }),
      clock,
    }),
  }
}
function stop(): void {
  stores.pop()?.close()
}

test('a restart with a clock that was set back, or in a zone with an earlier date, gives no new budget', () => {
  start().budgets.reserve('key', 100n).settle(100n)
  stop()
  for (const [earlier, where] of [
    [HOUR_MS, zone],
    [48 * HOUR_MS, zone],
    [0, 'Pacific/Pago_Pago'],
    [EVENING, 'America/Los_Angeles'],
  ] as const) {
    wall = EVENING - earlier
    zone = where
    const { budgets } = start()
    expect(() => budgets.reserve('key', 1n)).toThrow(exceeded)
    expect(budgets.money('key')).toMatchObject({ spent: 100n, reserved: 0n })
    stop()
  }
})

test('the next local day, of 25 hours, has a budget of its own, once', () => {
  start().budgets.reserve('key', 100n).settle(100n)
  stop()
  wall = EVENING + HOUR_MS
  const { budgets } = start()
  expect(budgets.money('key')).toEqual({ spent: 0n, reserved: 0n, renewsAt: wall + 25 * HOUR_MS })
  budgets.reserve('key', 100n).settle(100n)
  stop()
  wall = EVENING
  start()
  wall = EVENING + 25.5 * HOUR_MS
  expect(() => start().budgets.reserve('key', 1n)).toThrow(exceeded)
})

test('a kill right after a request left loses neither its charge nor its day', () => {
  const { budgets } = start()
  wall = EVENING + HOUR_MS
  budgets.reserve('key', 100n)
  // The next process opens what was written when the first one ended.
  wall = EVENING
  const next = start()
  expect(next.budgets.money('key')).toEqual({ spent: 100n, reserved: 0n, renewsAt: EVENING + 26 * HOUR_MS })
  expect(() => next.budgets.reserve('key', 1n)).toThrow(exceeded)
})

test('a deleted mark is reported, and frees nothing that was charged on later days', () => {
  start().budgets.reserve('key', 100n).settle(100n)
  stop()
  editFile(folder, (database) => {
    database.exec("DELETE FROM settings WHERE name = 'limit-clock'")
  })
  wall = EVENING - 72 * HOUR_MS
  const { store, budgets } = start()
  expect(store.integrity.changes()).toEqual([{ table: 'settings', rows: -1 }])
  expect(() => store.integrity.requireIntact()).toThrow(
    expect.objectContaining({ code: 'store/rows-changed' }),
  )
  expect(() => budgets.reserve('key', 1n)).toThrow(exceeded)
})
