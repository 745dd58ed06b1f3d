import { expect, it } from 'vitest'
import { createStore } from '../../../src/core/storage/index.ts'
import { KEY, receipt } from './examples.ts'

it('the receipts between two moments are those, both included, the oldest first, and no more than asked for', () => {
  const store = createStore({ folder: null, key: KEY, now: Date.now })
  for (const at of [30, 10, 20, 40]) store.receipts.put(receipt(String(at), { at }))
  const between = (from: number, until: number, limit = 10) =>
    store.receipts.between(from, until, limit).map(({ at }) => at)
  expect(between(10, 30)).toEqual([10, 20, 30])
  expect(between(11, 29)).toEqual([20])
  expect(between(0, 100, 2)).toEqual([10, 20])
  expect(between(41, 100)).toEqual([])
  store.close()
})

it('they are so whatever order and however many they were put in', () => {
  const store = createStore({ folder: null, key: KEY, now: Date.now })
  for (let at = 0; at < 100; at += 1)
    store.receipts.put(receipt(String((at * 37) % 100), { at: (at * 37) % 100 }))
  expect(store.receipts.between(10, 89, 1_000).map(({ at }) => at)).toEqual(
    Array.from({ length: 80 }, (_, at) => at + 10),
  )
  store.close()
})
