import { afterAll, beforeEach, expect, test, vi } from 'vitest'
import { draw } from './drawn-hook.ts'

let asked = 0

vi.mock('react', async () => (await import('./drawn-hook.ts')).hooks)
vi.mock('zustand', async () => {
  const { createStore } = await import('zustand/vanilla')
  return {
    create: () => (first: () => unknown) => {
      const store = createStore(first)
      return Object.assign((chosen: (state: unknown) => unknown) => chosen(store.getState()), store)
    },
  }
})
vi.mock('../../src/renderer/ui/api.ts', () => ({
  api: {
    studio: {
      link: () => Promise.resolve({ path: `/link/${String(++asked)}`, expiresAt: Date.now() + 3_600_000 }),
    },
  },
}))

const { useLink } = await import('../../src/renderer/ui/jobs/use-link.ts')

const settled = () => new Promise(setImmediate)

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'] })
  asked = 0
})
afterAll(() => {
  vi.useRealTimers()
})

test('what cannot be read is asked for once more, and not without end', async () => {
  const link = draw(() => useLink('broken', 0))
  for (let tries = 0; tries < 10 && !link.shown().failure; tries++) {
    await settled()
    link.again()
    link.shown().renew()
  }
  expect(asked).toBe(2)
  expect(link.shown().failure?.code).toBe('studio/unknown')
})

test('an address that ends while it is looked at is followed by another, as often as that happens', async () => {
  const link = draw(() => useLink('long', 0))
  for (let times = 1; times <= 4; times++) {
    await settled()
    link.again()
    expect(link.shown()).toMatchObject({ path: `/link/${String(times)}`, failure: undefined })
    vi.setSystemTime(Date.now() + 3_600_000)
    link.shown().renew()
  }
})
