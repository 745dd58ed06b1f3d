import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createLowBalance, type LowBalance } from '../../../src/core/payments/low-balance.ts'
import { createStore, type Store } from '../../../src/core/storage/index.ts'
import { renderEnglish, msg } from '../../../src/shared/localized-text.ts'

const DOLLAR = 10n ** 12n

let store: Store
let low: LowBalance
let balance = 0n
let looks = 0
let active: string | null = 'first'
let refuses = false
beforeEach(() => {
  vi.useFakeTimers()
  balance = 5n * DOLLAR
  looks = 0
  active = 'first'
  refuses = false
  store = createStore({ folder: null, key: new Uint8Array(32).fill(7), now: Date.now })
  low = createLowBalance({
    settings: store.settings,
    now: Date.now,
    accounts: {
      activeId: () => active,
      balance: () => {
        looks += 1
        return refuses ? Promise.reject(new Error('the service is away')) : Promise.resolve(balance)
      },
    },
  })
})
afterEach(() => {
  low[Symbol.dispose]()
  store.close()
  vi.useRealTimers()
})

async function request(): Promise<void> {
  low.noteRequest()
  await vi.advanceTimersByTimeAsync(2_000)
}

test('the low-balance notice appears below one dollar, once per fall, and disappears when the balance rises', async () => {
  await request()
  expect([low.notice(), looks]).toEqual([null, 1])
  await vi.advanceTimersByTimeAsync(5 * 60_000)
  balance = DOLLAR - 1n
  await request()
  const first = low.notice()
  expect(first).toEqual({
    id: expect.stringMatching(/^low-balance-\d+$/) as string,
    says: msg('Your balance is below {bound}. Requests may soon be refused. Add funds in Wallet.', {
      bound: { usd: '1000000000000' },
    }),
    lasting: false,
  })
  balance = -5n * DOLLAR
  await low.look()
  expect(low.notice()).toEqual(first)
  balance = DOLLAR
  await low.look()
  expect(low.notice()).toBeNull()
  await vi.advanceTimersByTimeAsync(1)
  balance = 0n
  await low.look()
  expect(low.notice()?.id).not.toBe(first?.id)
})

test('the balance is checked shortly after requests, at most once in five minutes', async () => {
  for (let at = 0; at < 1_000; at += 1) low.noteRequest()
  expect(looks).toBe(0)
  await vi.advanceTimersByTimeAsync(2_000)
  for (let at = 0; at < 1_000; at += 1) await request()
  expect(looks).toBe(Math.floor((1_000 * 2_000) / (5 * 60_000)) + 1)
})

test('the low-balance notice appears below the user’s limit, and never with a limit of zero', async () => {
  expect(low.below()).toBe('1')
  await low.look()
  low.setBelow('10.50')
  expect([low.below(), renderEnglish(low.notice()?.says ?? [])]).toEqual([
    '10.5',
    'Your balance is below $10.50. Requests may soon be refused. Add funds in Wallet.',
  ])
  balance = -1n
  low.setBelow('0')
  await low.look()
  expect([low.below(), low.notice()]).toEqual(['0', null])
})

test('the low-balance notice belongs to the active account, and is absent without one', async () => {
  balance = 0n
  await low.look()
  expect(low.notice()).not.toBeNull()
  active = 'second'
  expect(low.notice()).toBeNull()
  active = null
  await low.look()
  expect([low.notice(), looks]).toEqual([null, 1])
})

test('no low-balance notice appears if the balance is unknown', async () => {
  refuses = true
  await low.look()
  expect(low.notice()).toBeNull()
})

test('the balance is checked after requests also if the clock was set back', async () => {
  await request()
  vi.setSystemTime(Date.now() - 24 * 3_600_000)
  await request()
  await request()
  expect(looks).toBe(2)
})

test('the last balance is that of the active account, with its time', async () => {
  expect(low.seen()).toBeNull()
  await low.look()
  expect(low.seen()).toMatchObject({ picoUsd: 5n * DOLLAR, at: Date.now() })
  active = 'second'
  expect(low.seen()).toBeNull()
})
