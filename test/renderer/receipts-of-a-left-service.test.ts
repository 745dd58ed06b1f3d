// @vitest-environment happy-dom
import { act, screen } from '@testing-library/react'
import { createElement } from 'react'
import { expect, test, vi } from 'vitest'
import type { Status } from '../../src/shared/status.ts'
import { drawInPage, settled } from './in-page.ts'

const list = vi.fn<() => Promise<unknown>>()

vi.mock('../../src/renderer/ui/api.ts', () => ({ api: { receipts: { list: () => list() } } }))

const { ServiceScope } = await import('../../src/renderer/data/service-scope.tsx')
const { setStatus } = await import('../../src/renderer/ui/status-store.ts')
const { Receipts } = await import('../../src/renderer/features/privacy/receipts.tsx')

/** The tests need only the parts by which services differ. */
const status = (profileId: string): Status =>
  ({
    service: { profileId, baseUrl: 'https://a.example' },
    account: { connected: true },
    vault: { state: 'open' },
  }) as Status

test('receipts of a service that was left are not listed at the next, also where its own cannot be had', async () => {
  setStatus(status('one'))
  list.mockResolvedValueOnce([
    { id: 'receipt', privacy: 'sealed', model: 'private/m', outcome: 'complete', at: 1 },
  ])
  drawInPage(createElement(ServiceScope, undefined, createElement(Receipts)))
  await settled()
  expect(screen.queryByText('private/m')).not.toBeNull()
  list.mockRejectedValueOnce(new TypeError('fetch failed'))
  act(() => setStatus(status('two')))
  await settled()
  expect(screen.queryByText('private/m')).toBeNull()
})

test('the failure of the list remains while it is loaded again', async () => {
  setStatus(status('three'))
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  list.mockRejectedValueOnce(new TypeError('fetch failed'))
  drawInPage(createElement(ServiceScope, undefined, createElement(Receipts)))
  await settled()
  expect(screen.queryByRole('alert')).not.toBeNull()
  list.mockReturnValueOnce(new Promise(() => undefined))
  const asked = list.mock.calls.length
  act(() => {
    vi.advanceTimersByTime(5000)
  })
  await settled()
  expect(list.mock.calls.length).toBe(asked + 1)
  expect(screen.queryByRole('alert')).not.toBeNull()
  expect(screen.queryByText('Loading receipts…')).toBeNull()
  vi.useRealTimers()
})
