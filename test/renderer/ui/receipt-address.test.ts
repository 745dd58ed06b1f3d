// @vitest-environment happy-dom
import { act, screen } from '@testing-library/react'
import { createElement } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import type { Receipt } from '../../../src/shared/receipt.ts'
import { receipt, sandboxStatus } from '../../e2e/mock-data.ts'
import { drawInPage, settled } from '../in-page.ts'

const get = vi.fn<(input: { receiptId: string }) => Promise<Receipt>>()
vi.mock('../../../src/renderer/ui/api.ts', () => ({ api: { receipts: { get } } }))

const { setStatus } = await import('../../../src/renderer/ui/status-store.ts')
const { closeTopDialog } = await import('../../../src/renderer/ui/dialog-stack.ts')
const { WindowError } = await import('../../../src/renderer/ui/failure.ts')
const { showReceipt } = await import('../../../src/renderer/ui/receipt-store.ts')
const { go } = await import('../../../src/renderer/ui/route.ts')
const { ReceiptDialog } = await import('../../../src/renderer/ui/receipt-dialog.tsx')

async function visit(hash: string): Promise<void> {
  setStatus(sandboxStatus())
  location.hash = hash
  drawInPage(createElement(ReceiptDialog))
  await settled()
}
const dialog = () => screen.queryByRole('dialog', { name: 'Receipt' })

afterEach(() => {
  location.hash = ''
  vi.clearAllMocks()
})

test('an address with a receipt opens it, and Back closes it in the same view', async () => {
  get.mockImplementation(({ receiptId }) => Promise.resolve(receipt(receiptId, 0)))
  await visit('#/chat/c1?receipt=r-1')
  expect(get.mock.calls).toEqual([[{ receiptId: 'r-1' }]])
  expect(dialog()?.textContent).toContain('private/sandbox-large')
  act(() => void closeTopDialog())
  await settled()
  expect([dialog(), location.hash]).toEqual([null, '#/chat/c1'])
})

test('an opened receipt is in the address without another entry in the history, and another view closes it', async () => {
  get.mockImplementation(({ receiptId }) => Promise.resolve(receipt(receiptId, 0)))
  await visit('#/privacy/receipts')
  const entries = history.length
  act(() => showReceipt('r-2'))
  await settled()
  expect(dialog()).not.toBeNull()
  expect([location.hash, history.length]).toEqual(['#/privacy/receipts?receipt=r-2', entries])
  act(() => {
    go({ view: 'wallet' })
    dispatchEvent(new HashChangeEvent('hashchange'))
  })
  await settled()
  expect([dialog(), location.hash]).toEqual([null, '#/wallet'])
})

test('an address with an unknown receipt explains that it can’t be shown', async () => {
  get.mockRejectedValue(new WindowError('receipt/unknown'))
  await visit('#/chat?receipt=r-3')
  expect(dialog()).not.toBeNull()
  expect(screen.getByRole('alert')).toBeDefined()
})
