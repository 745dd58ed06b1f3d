import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Status } from '../../../src/shared/status.ts'

const use = vi.fn(() => Promise.resolve())
vi.mock('../../../src/renderer/ui/api.ts', () => ({ inDesktop: true, api: { vault: { use } } }))

/** The first listener that the module registers for keys. */
let press: () => void = () => undefined
vi.stubGlobal('addEventListener', (name: string, listener: () => void) => {
  if (name === 'keydown') press = listener
})
vi.stubGlobal('location', { hash: '' })

const { setStatus } = await import('../../../src/renderer/ui/status-store.ts')
const { reportUse } = await import('../../../src/renderer/ui/lock.ts')

beforeEach(() => {
  vi.useFakeTimers({ now: 1_800_000_000_000 })
})
afterEach(() => {
  vi.useRealTimers()
})

test('a person’s use of the window is reported at intervals, also after the clock was set back', () => {
  setStatus({ vault: { state: 'open', lockAfterMinutes: 5 } } as Status)
  reportUse()
  const reportsAfter = (passed: number): number => {
    vi.setSystemTime(Date.now() + passed)
    press()
    return use.mock.calls.length
  }
  expect([reportsAfter(0), reportsAfter(1000), reportsAfter(20_000)]).toEqual([1, 1, 2])
  expect([reportsAfter(-3_600_000), reportsAfter(1000)]).toEqual([3, 3])
})
