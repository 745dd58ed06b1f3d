import { afterEach, expect, test, vi } from 'vitest'
import type { Status } from '../../src/shared/status.ts'
import { draw, elements } from './drawn-hook.ts'

const list = vi.fn<() => Promise<unknown>>()

vi.mock('react', async () => (await import('./drawn-hook.ts')).hooks)
vi.mock('zustand', async () => {
  const { createStore } = await import('zustand/vanilla')
  return {
    create: () => (first: () => unknown) => {
      const store = createStore(first)
      return Object.assign(
        (chosen: (state: unknown) => unknown = (state) => state) => chosen(store.getState()),
        store,
      )
    },
  }
})
vi.mock('../../src/renderer/ui/api.ts', () => ({ api: { receipts: { list: () => list() } } }))

const { setStatus } = await import('../../src/renderer/ui/status-store.ts')
const { Receipts } = await import('../../src/renderer/features/privacy/receipts.tsx')

/** Only what tells one service from another is of use here. */
const status = (profileId: string): Status =>
  ({
    service: { profileId, baseUrl: 'https://a.example' },
    account: { connected: true },
    vault: { state: 'open' },
  }) as Status

vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
afterEach(() => {
  vi.useRealTimers()
})

test('receipts of a service that was left are not listed at the next, also where its own cannot be had', async () => {
  setStatus(status('one'))
  list.mockResolvedValueOnce([
    { id: 'receipt', privacy: 'sealed', model: 'private/m', outcome: 'complete', at: 1 },
  ])
  const drawn = draw(() => Receipts())
  const listed = () => [...elements(drawn.shown())].some(({ receiptId }) => receiptId === 'receipt')
  await new Promise(setImmediate)
  expect(listed()).toBe(true)
  list.mockRejectedValueOnce(new TypeError('fetch failed'))
  setStatus(status('two'))
  drawn.again()
  await new Promise(setImmediate)
  expect(listed()).toBe(false)
})
