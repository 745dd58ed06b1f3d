import { expect, test, vi } from 'vitest'
import { draw, elements } from './drawn-hook.ts'

const { openHistory } = vi.hoisted(() => ({ openHistory: vi.fn() }))

vi.mock('react', async () => (await import('./drawn-hook.ts')).hooks)
vi.mock('../../src/renderer/features/history/spending.tsx', () => ({
  labelOf: (_: string, { label }: { label: string }) => label,
}))
vi.mock('../../src/renderer/features/history/history-store.ts', () => ({
  openHistory,
  useHistoryFilter: () => ({}),
  useHistoryKeys: () => [
    { id: 'old', name: 'editor', revokedAt: 1 },
    { id: 'new', name: 'editor' },
    { id: 'other', name: 'agent' },
  ],
}))

const { GroupPlot } = await import('../../src/renderer/features/history/group-plot.tsx')

const isPress = (value: unknown): value is () => void => typeof value === 'function'

test('a bar leads to the queries of its key, and where several have its name to none of them alone', () => {
  const group = (label: string) => ({
    label,
    cost: '1',
    requests: 1,
    unpriced: 0,
    inputTokens: 1,
    outputTokens: 1,
  })
  const drawn = draw(() =>
    GroupPlot({ grouping: 'key', groups: [group('editor'), group('agent')], measure: 'cost' }),
  )
  for (const { onClick } of elements(drawn.shown())) if (isPress(onClick)) onClick()
  expect(openHistory.mock.calls).toEqual([[{ keyId: 'other' }]])
})
