// @vitest-environment happy-dom
import { act, screen } from '@testing-library/react'
import { createElement } from 'react'
import { expect, test, vi } from 'vitest'
import type { Status } from '../../src/shared/status.ts'
import { drawInPage, settled } from './in-page.ts'

const list = vi.fn<() => Promise<unknown>>()

vi.mock('../../src/renderer/ui/api.ts', () => ({ api: { receipts: { list: () => list() } } }))

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
  drawInPage(createElement(Receipts))
  await settled()
  expect(screen.queryByText('private/m')).not.toBeNull()
  list.mockRejectedValueOnce(new TypeError('fetch failed'))
  act(() => setStatus(status('two')))
  await settled()
  expect(screen.queryByText('private/m')).toBeNull()
})
