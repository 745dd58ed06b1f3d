// @vitest-environment happy-dom
import { act, renderHook } from '@testing-library/react'
import { createElement, type ReactNode } from 'react'
import { afterAll, beforeEach, expect, test, vi } from 'vitest'
import { settled } from './in-page.ts'

let asked = 0

vi.mock('../../src/renderer/ui/api.ts', () => ({
  api: {
    studio: {
      link: () => Promise.resolve({ path: `/link/${String(++asked)}`, expiresAt: Date.now() + 3_600_000 }),
    },
  },
}))

const { ServiceScope } = await import('../../src/renderer/data/service-scope.tsx')
const { useLink } = await import('../../src/renderer/ui/jobs/use-link.ts')

const inScope = {
  wrapper: ({ children }: { children: ReactNode }) => createElement(ServiceScope, undefined, children),
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'] })
  asked = 0
})
afterAll(() => {
  vi.useRealTimers()
})

test('what cannot be read is asked for once more, and not without end', async () => {
  const { result } = renderHook(() => useLink('broken', 0), inScope)
  for (let tries = 0; tries < 10 && !result.current.failure; tries++) {
    await settled()
    act(() => result.current.renew())
  }
  expect(asked).toBe(2)
  expect(result.current.failure?.code).toBe('studio/unknown')
})

test('an address that ends while it is looked at is followed by another, as often as that happens', async () => {
  const { result } = renderHook(() => useLink('long', 0), inScope)
  for (let times = 1; times <= 4; times++) {
    await settled()
    expect(result.current).toMatchObject({ path: `/link/${String(times)}`, failure: undefined })
    vi.setSystemTime(Date.now() + 3_600_000)
    act(() => result.current.renew())
  }
})
