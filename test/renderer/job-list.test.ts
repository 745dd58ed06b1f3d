// @vitest-environment happy-dom
import { act, renderHook } from '@testing-library/react'
import { createElement, type ReactNode } from 'react'
import { beforeEach, expect, test, vi } from 'vitest'
import type { Job } from '../../src/shared/job.ts'
import type { Status } from '../../src/shared/status.ts'
import { settled } from './in-page.ts'

const { list } = vi.hoisted(() => ({ list: vi.fn() }))
vi.mock('../../src/renderer/ui/api.ts', () => ({ api: { studio: { list } } }))

const { currentScope, ServiceScope } = await import('../../src/renderer/data/service-scope.tsx')
const { setStatus } = await import('../../src/renderer/ui/status-store.ts')
const { forgetJobs, putJobs } = await import('../../src/renderer/ui/jobs/jobs-store.ts')
const { useJobList } = await import('../../src/renderer/ui/jobs/use-job-list.ts')

/** The tests need only the parts by which services differ. */
const status = (profileId: string): Status =>
  ({
    service: { profileId, baseUrl: 'https://a.example' },
    account: { connected: true },
    vault: { state: 'open' },
  }) as Status
const job = (at: number): Job =>
  ({ id: `job-${String(at)}`, kind: 'speech', at, changedAt: at, state: 'done' }) as Job
const inScope = {
  wrapper: ({ children }: { children: ReactNode }) => createElement(ServiceScope, undefined, children),
}

beforeEach(() => {
  setStatus(status('before'))
  setStatus(status('one'))
  list.mockReset()
})

test('lists the core’s jobs page by page, adds later ones and drops removed ones', async () => {
  list.mockResolvedValueOnce({ jobs: [job(4), job(3)], next: 'job-3' })
  const { result } = renderHook(() => useJobList(['speech']), inScope)
  const shown = () => result.current.jobs?.map(({ at }) => at)
  expect(result.current).toMatchObject({ jobs: undefined, busy: true, more: false })
  await settled()
  expect([shown(), result.current.more]).toEqual([[4, 3], true])
  list.mockResolvedValueOnce({ jobs: [job(2)] })
  act(() => result.current.older())
  await settled()
  expect([shown(), result.current.more]).toEqual([[4, 3, 2], false])
  expect(list.mock.calls.map(([input]) => (input as { before?: string }).before)).toEqual([
    undefined,
    'job-3',
  ])
  act(() => putJobs(currentScope(), [job(5), job(1), { ...job(6), kind: 'image' }]))
  act(() => forgetJobs(currentScope(), ['job-3']))
  expect(shown()).toEqual([5, 4, 2])
  act(() => setStatus(status('two')))
  expect(shown()).toBeUndefined()
})

test('keeps the list in view while another search is answered, and after it failed', async () => {
  list.mockResolvedValueOnce({ jobs: [job(1)] })
  const { result, rerender } = renderHook(({ text }) => useJobList(undefined, text), {
    ...inScope,
    initialProps: { text: '' },
  })
  const shown = () => result.current.jobs?.map(({ at }) => at)
  await settled()
  list.mockRejectedValueOnce(new TypeError('fetch failed'))
  rerender({ text: 'sea' })
  expect([shown(), result.current.busy]).toEqual([[1], true])
  await settled()
  expect(shown()).toEqual([1])
  expect(result.current.failure?.code).toBe('window/unreachable')
  list.mockResolvedValueOnce({ jobs: [] })
  act(() => result.current.again())
  await settled()
  expect([shown(), result.current.failure]).toEqual([[], undefined])
})
