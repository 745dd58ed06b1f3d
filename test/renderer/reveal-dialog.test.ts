import { expect, test, vi } from 'vitest'
import { draw } from './drawn-hook.ts'

vi.mock('react', async () => (await import('./drawn-hook.ts')).hooks)

const { Shown } = await import('../../src/renderer/ui/reveal-dialog.tsx')

const words = { leave: '', show: '', hide: '', over: '' }

test.each([['stays right', 0], ['is set back by an hour', -3_600_000], ['goes on by an hour, as in sleep', 3_600_000]])('a secret is hidden after half a minute where the clock %s', (_, moved) => {
  vi.useFakeTimers()
  const close = vi.fn()
  const until = Date.now() + 30_000
  draw(() => Shown({ secrets: [], until, words, close }))
  vi.advanceTimersByTime(10_000)
  expect(close).not.toHaveBeenCalled()
  vi.setSystemTime(Date.now() + moved)
  vi.advanceTimersByTime(21_000)
  expect(close).toHaveBeenCalled()
})
