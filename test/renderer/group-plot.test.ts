// @vitest-environment happy-dom
import { fireEvent, screen } from '@testing-library/react'
import { createElement } from 'react'
import { expect, test, vi } from 'vitest'
import { drawInPage } from './in-page.ts'

const { showHistory } = vi.hoisted(() => ({ showHistory: vi.fn() }))

vi.mock('../../src/renderer/features/history/spending.tsx', () => ({
  labelOf: (_: string, { label }: { label: string }) => label,
}))
vi.mock('../../src/renderer/features/history/history-store.ts', () => ({
  showHistory,
  useHistoryFilter: () => ({}),
  useHistoryKeys: () => [
    { id: 'old', name: 'editor', revokedAt: 1 },
    { id: 'new', name: 'editor' },
    { id: 'other', name: 'agent' },
  ],
}))

const { GroupPlot } = await import('../../src/renderer/features/history/group-plot.tsx')

test('a bar opens the requests of its key, unless several keys have its name', () => {
  const group = (label: string) => ({
    label,
    cost: '1',
    requests: 1,
    unpriced: 0,
    inputTokens: 1,
    outputTokens: 1,
  })
  drawInPage(
    createElement(GroupPlot, {
      grouping: 'key',
      groups: [group('editor'), group('agent')],
      measure: 'cost',
    }),
  )
  for (const bar of screen.getAllByRole('button')) fireEvent.click(bar)
  expect(showHistory.mock.calls).toEqual([[{ keyId: 'other' }]])
})
