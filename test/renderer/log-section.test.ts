// @vitest-environment happy-dom
import { act, fireEvent, screen } from '@testing-library/react'
import { createElement } from 'react'
import { expect, test, vi } from 'vitest'
import type { LogEntry } from '../../src/shared/log-events.ts'
import { drawInPage } from './in-page.ts'

const entry = (seq: number): LogEntry => ({
  seq,
  at: 1_796_000_000_000 + seq,
  level: 'info',
  event: 'request/ended',
  fields: { status: 200 + seq },
})

let streams = 0
vi.mock('../../src/renderer/ui/api.ts', () => ({
  api: {
    diagnostics: {
      async watchLog() {
        streams++
        await Promise.resolve()
        return (async function* () {
          yield streams === 1 ? [entry(1)] : [entry(1), entry(2)]
          await Promise.resolve()
          if (streams === 1) throw new TypeError('the connection broke')
          await new Promise(() => undefined)
        })()
      },
    },
  },
}))
// It measures the heights of lines, which this page doesn't have.
vi.mock('virtua', () => ({
  Virtualizer: ({ data, children }: { data: readonly LogEntry[]; children: (one: LogEntry) => unknown }) =>
    data.map((one) => children(one)),
}))

const { LogSection } = await import('../../src/renderer/features/settings/log-section.tsx')

test('the log goes on after its connection broke, without repeating a line', async () => {
  vi.useFakeTimers()
  drawInPage(createElement(LogSection))
  fireEvent.click(screen.getByRole('button', { name: 'Show log' }))
  await act(() => vi.advanceTimersByTimeAsync(0))
  expect(screen.getAllByText(/status=/).map(({ textContent }) => textContent)).toEqual(['status=201'])
  await act(() => vi.advanceTimersByTimeAsync(5_000))
  expect(screen.getAllByText(/status=/).map(({ textContent }) => textContent)).toEqual([
    'status=202',
    'status=201',
  ])
})
