// @vitest-environment happy-dom
import { act, fireEvent, screen } from '@testing-library/react'
import { createElement } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import { RevealDialog } from '../../src/renderer/ui/reveal-dialog.tsx'
import { drawInPage } from './in-page.ts'

const over = 'Hidden again.'
const passed = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))

afterEach(() => {
  vi.useRealTimers()
})

test.each([
  ['stays right', 0],
  ['is set back by an hour', -3_600_000],
  ['goes on by an hour, as in sleep', 3_600_000],
])('a secret is hidden after half a minute where the clock %s', async (_, moved) => {
  vi.useFakeTimers()
  const close = vi.fn()
  const reveal = () => Promise.resolve([{ name: 'Key', secret: 'a-secret' }])
  drawInPage(createElement(RevealDialog, { title: 'The key', description: 'In full.', over, reveal, close }))
  fireEvent.click(screen.getByRole('button', { name: 'Show for 30 seconds' }))
  // The page shows the answer before its time limit starts.
  await passed(0)
  await passed(10_000)
  expect(screen.getByRole('dialog', { name: 'The key' }).textContent).toContain('a-secret')
  expect(close).not.toHaveBeenCalled()
  vi.setSystemTime(Date.now() + moved)
  await passed(21_000)
  expect(close).toHaveBeenCalled()
  expect(screen.getByRole('dialog', { name: 'The key' }).textContent).not.toContain('a-secret')
})
