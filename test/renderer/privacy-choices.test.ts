// @vitest-environment happy-dom
import { act, renderHook } from '@testing-library/react'
import { createElement, type ReactNode } from 'react'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import type { Status } from '../../src/shared/status.ts'
import { settled } from './in-page.ts'

/** Calls that wait for the test's answer, in the order of the calls. */
const waiting: ((answer: unknown) => void)[] = []
const waits = () => new Promise((answer) => waiting.push(answer))
const verify = vi.fn(() => Promise.resolve({}))

vi.mock('../../src/renderer/ui/api.ts', () => ({
  inDesktop: true,
  api: {
    privacy: {
      choices: waits,
      setAskBeforeNewRelease: waits,
      verify,
      history: () => Promise.resolve([]),
      trust: () => Promise.resolve({}),
      current: () => Promise.resolve({}),
    },
  },
}))

const { setStatus } = await import('../../src/renderer/ui/status-store.ts')
const { currentScope, ServiceScope } = await import('../../src/renderer/data/service-scope.tsx')
const { readVerdict, refreshVerdict } = await import('../../src/renderer/ui/verdict-store.ts')
const { refreshPrivacy, setAskBeforeNewRelease, usePrivacy } =
  await import('../../src/renderer/features/privacy/privacy-store.ts')

/** The tests need only the parts by which services differ. */
const status = (profileId: string): Status =>
  ({
    service: { profileId, baseUrl: 'https://a.example' },
    account: { connected: false },
    vault: { state: 'open' },
  }) as Status
const chosen = (askBeforeNewRelease: boolean) => ({ askBeforeNewRelease, pins: [], freshEvidence: null })
const inScope = {
  wrapper: ({ children }: { children: ReactNode }) => createElement(ServiceScope, undefined, children),
}

beforeEach(() => {
  setStatus(status('before'))
  setStatus(status('one'))
  waiting.length = 0
  verify.mockClear()
})

describe('what is chosen', () => {
  test('stays when what stood before is answered late', async () => {
    const { result } = renderHook(() => usePrivacy().data, inScope)
    waiting[0]?.(chosen(false))
    await settled()
    expect(result.current?.choices.askBeforeNewRelease).toBe(false)
    void refreshPrivacy(currentScope())
    const change = setAskBeforeNewRelease(true)
    await settled()
    waiting[2]?.(chosen(true))
    await settled()
    waiting[1]?.(chosen(false))
    await settled()
    expect(result.current?.choices.askBeforeNewRelease).toBe(true)
    waiting[3]?.(chosen(true))
    await act(() => change)
    expect(result.current).toMatchObject({ history: [], choices: { askBeforeNewRelease: true } })
  })

  test('for a service that was left is neither shown at the next nor judged there', async () => {
    const { result } = renderHook(() => usePrivacy().data, inScope)
    const change = setAskBeforeNewRelease(true)
    act(() => setStatus(status('two')))
    await refreshVerdict()
    expect(readVerdict().verdict).toBeTruthy()
    waiting[1]?.(chosen(true))
    await act(() => change)
    expect(result.current).toBeUndefined()
    expect(verify).not.toHaveBeenCalled()
  })
})
