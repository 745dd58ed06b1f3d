// @vitest-environment happy-dom
import { act, renderHook } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import type { Status } from '../../src/shared/status.ts'

vi.mock('../../src/renderer/ui/api.ts', () => ({ api: {} }))

const { setStatus } = await import('../../src/renderer/ui/status-store.ts')
const { useServiceState } = await import('../../src/renderer/ui/use-service-state.ts')

/** The tests need only the parts by which services differ. */
const use = (profileId: string) =>
  act(() =>
    setStatus({
      service: { profileId, baseUrl: 'https://a.example' },
      account: { connected: false },
      vault: { state: 'open' },
    } as Status),
  )

beforeEach(() => use('one'))

test('a value belongs to the service where it was set, and doesn’t return with it', () => {
  const { result } = renderHook(() => useServiceState<string>())
  act(() => result.current[1]('of one'))
  expect(result.current[0]).toBe('of one')
  use('two')
  expect(result.current[0]).toBeUndefined()
  use('one')
  expect(result.current[0]).toBeUndefined()
})

test('a late value of the previous service doesn’t replace that of the next one', () => {
  const { result } = renderHook(() => useServiceState<string>())
  const [, setLate] = result.current
  use('two')
  act(() => result.current[1]('of two'))
  act(() => setLate('of one'))
  expect(result.current[0]).toBe('of two')
})
