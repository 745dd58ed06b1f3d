// @vitest-environment happy-dom
import { act, renderHook } from '@testing-library/react'
import { createElement, type ReactNode } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { JobAsk } from '../../src/shared/job-ask.ts'

const { estimate } = vi.hoisted(() => ({ estimate: vi.fn() }))
vi.mock('../../src/renderer/ui/api.ts', () => ({ api: { studio: { estimate } } }))

const { ServiceScope } = await import('../../src/renderer/data/service-scope.tsx')
const { useEstimate } = await import('../../src/renderer/ui/jobs/use-estimate.ts')

const ask = (prompt: string): JobAsk => ({ kind: 'image', model: 'open/images', prompt })
const cost = (least: string) => ({ cost: { least, most: least }, unknown: [] })
const after = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))

beforeEach(() => {
  vi.useFakeTimers()
  vi.resetAllMocks()
})
afterEach(() => vi.useRealTimers())

test('a price is known only for the current input, and only the last of quick changes is requested', async () => {
  estimate.mockResolvedValueOnce(cost('1')).mockResolvedValueOnce(cost('2'))
  const { result, rerender, unmount } = renderHook(({ prompt }) => useEstimate(ask(prompt)), {
    initialProps: { prompt: 'a' },
    wrapper: ({ children }: { children: ReactNode }) => createElement(ServiceScope, undefined, children),
  })
  expect(result.current).toEqual({ state: 'asking', before: undefined })
  await after(250)
  expect(result.current).toEqual({ state: 'known', estimate: cost('1') })
  rerender({ prompt: 'ab' })
  expect(result.current).toEqual({ state: 'asking', before: cost('1') })
  await after(200)
  rerender({ prompt: 'abc' })
  await after(249)
  expect(result.current).toEqual({ state: 'asking', before: cost('1') })
  await after(1)
  expect(result.current).toEqual({ state: 'known', estimate: cost('2') })
  const prompts = estimate.mock.calls.map(([input]) => (input as { ask: { prompt: string } }).ask.prompt)
  expect(prompts).toEqual(['a', 'abc'])
  unmount()
})

test('a failed estimate is reported, and can be requested again', async () => {
  estimate.mockRejectedValueOnce(new Error('gone')).mockResolvedValueOnce(cost('1'))
  const { result, unmount } = renderHook(() => useEstimate(ask('a')), {
    wrapper: ({ children }: { children: ReactNode }) => createElement(ServiceScope, undefined, children),
  })
  await after(250)
  expect(result.current.state).toBe('failed')
  if (result.current.state === 'failed') act(result.current.again)
  expect(result.current.state).toBe('asking')
  await after(250)
  expect(result.current).toEqual({ state: 'known', estimate: cost('1') })
  unmount()
})
