// @vitest-environment happy-dom
import { act, fireEvent, screen } from '@testing-library/react'
import { createElement } from 'react'
import { beforeEach, expect, test, vi } from 'vitest'
import type { Status } from '../../src/shared/status.ts'
import { drawInPage, settled } from './in-page.ts'

const { answers } = vi.hoisted(() => {
  const answers: ((answer: unknown) => void)[] = []
  return { answers }
})

vi.mock('../../src/renderer/ui/api.ts', () => ({
  api: { localApi: { try: () => new Promise((answer) => answers.push(answer)) } },
}))

const { setStatus } = await import('../../src/renderer/ui/status-store.ts')
const { ServiceScope } = await import('../../src/renderer/data/service-scope.tsx')
const { readReceipts } = await import('../../src/renderer/ui/receipt-store.ts')
const { findTool, tools } = await import('../../src/renderer/features/developer/tools/index.ts')
const { TryIt } = await import('../../src/renderer/features/developer/tool-pages/try-it.tsx')

/** The tests need only the parts by which services differ. */
const status = (profileId: string): Status =>
  ({
    service: { profileId, baseUrl: 'https://a.example' },
    account: { connected: true },
    vault: { state: 'open' },
  }) as Status
const answer = { status: 200, durationMs: 1, receipt: { id: 'receipt' } }
const shown = () => screen.queryByTestId('trial') !== null

beforeEach(() => {
  setStatus(status('one'))
  answers.length = 0
  const tool = findTool(tools[0]?.id)
  if (!tool) throw new Error('There is a tool.')
  const part = createElement(TryIt, { tool, model: undefined, modelId: 'open/m', secret: 'secret' })
  drawInPage(createElement(ServiceScope, undefined, part))
  fireEvent.click(screen.getByRole('button', { name: 'Try it' }))
})

test('the response from the previous service is hidden after a change of service', async () => {
  answers[0]?.(answer)
  await settled()
  expect(shown()).toBe(true)
  act(() => setStatus(status('two')))
  expect(shown()).toBe(false)
})

test('a late response from the previous service is ignored, with its receipt', async () => {
  act(() => setStatus(status('two')))
  answers[0]?.(answer)
  await settled()
  expect([shown(), Object.keys(readReceipts().receipts)]).toEqual([false, []])
})
