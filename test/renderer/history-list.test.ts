// @vitest-environment happy-dom
import { act, renderHook } from '@testing-library/react'
import { createElement, type ReactNode } from 'react'
import { beforeEach, expect, test, vi } from 'vitest'
import type { Status } from '../../src/shared/status.ts'
import { settled } from './in-page.ts'

const { history } = vi.hoisted(() => ({ history: { page: vi.fn(), summary: vi.fn() } }))
vi.mock('../../src/renderer/ui/api.ts', () => ({ api: { history } }))

const { ServiceScope } = await import('../../src/renderer/data/service-scope.tsx')
const { setStatus } = await import('../../src/renderer/ui/status-store.ts')
const { showHistory, useHistoryFilter, useHistoryList, useSeenWords, useSpending } =
  await import('../../src/renderer/features/history/history-store.ts')

/** The tests need only the parts by which services differ. */
const status = (profileId: string): Status =>
  ({
    service: { profileId, baseUrl: 'https://a.example' },
    account: { connected: true },
    vault: { state: 'open' },
  }) as Status
const page = (ids: readonly string[], next: string | null) => ({
  records: ids.map((id) => ({ id, model: `model of ${id}` })),
  next,
  total: 3,
  unreadable: 1,
  missing: [],
  uncompared: 0,
})
const sums = (cost: string) => ({ total: { cost }, groups: { model: [], source: [] } })
const inScope = {
  wrapper: ({ children }: { children: ReactNode }) => createElement(ServiceScope, undefined, children),
}

beforeEach(() => {
  setStatus(status('before'))
  setStatus(status('one'))
  vi.resetAllMocks()
})

test('pages are read to the first record, and older ones are added', async () => {
  history.page
    .mockResolvedValueOnce(page([], 'a'))
    .mockResolvedValueOnce(page(['1', '2'], 'b'))
    .mockRejectedValueOnce(new Error('gone'))
    .mockResolvedValueOnce(page(['3'], null))
  const { result } = renderHook(() => ({ list: useHistoryList(), words: useSeenWords() }), inScope)
  const shown = () => result.current.list.records?.map((record) => 'id' in record && record.id)
  await settled()
  expect(shown()).toEqual(['1', '2'])
  expect(result.current.list).toMatchObject({ more: true, busy: false, unreadable: 2, total: 3 })
  act(() => result.current.list.older())
  await settled()
  expect(result.current.list.failure?.code).toBe('window/unreachable')
  expect(shown()).toEqual(['1', '2'])
  act(() => result.current.list.older())
  await settled()
  expect(shown()).toEqual(['1', '2', '3'])
  expect(result.current.list).toMatchObject({ more: false, failure: undefined })
  expect(history.page.mock.calls.map(([input]) => (input as { cursor?: string }).cursor)).toEqual([
    undefined,
    'a',
    'b',
    'b',
  ])
  expect(result.current.words.models).toEqual(['model of 1', 'model of 2', 'model of 3'])
})

test('the sums of the filter before remain until the first new ones arrive', async () => {
  let next: (value: unknown) => void = () => undefined
  history.summary.mockImplementation(async function* () {
    for (;;) {
      const value = await new Promise((resolve) => {
        next = resolve
      })
      if (value === undefined) return
      yield value
    }
  })
  const { result } = renderHook(() => useSpending(), inScope)
  await settled()
  expect(result.current).toMatchObject({ summary: undefined, summing: true })
  next(sums('1'))
  await settled()
  expect(result.current).toMatchObject({ summary: sums('1'), summing: true, outdated: false })
  next(undefined)
  await settled()
  expect(result.current).toMatchObject({ summary: sums('1'), summing: false })
  act(() => showHistory({ model: 'm' }))
  await settled()
  expect(result.current).toMatchObject({ summary: sums('1'), outdated: true, summing: true })
  next(sums('2'))
  await settled()
  expect(result.current).toMatchObject({ summary: sums('2'), outdated: false })
  act(() => setStatus(status('two')))
  expect(result.current.summary).toBeUndefined()
})

test('a filter ends with its service', async () => {
  const { result } = renderHook(() => useHistoryFilter(), inScope)
  act(() => showHistory({ keyId: 'of-one' }))
  expect(result.current).toEqual({ keyId: 'of-one' })
  act(() => setStatus(status('two')))
  await settled()
  expect(result.current.keyId).toBeUndefined()
})
