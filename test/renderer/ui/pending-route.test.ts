import fc from 'fast-check'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { savePendingRoute, takePendingRoute } from '../../../src/renderer/ui/pending-route.ts'

const KEY = 'sotto.pending-route'
const MINUTE = 60_000
const saved = new Map<string, string>()

vi.stubGlobal('localStorage', {
  getItem: (key: string) => saved.get(key) ?? null,
  setItem: (key: string, value: string) => saved.set(key, value),
  removeItem: (key: string) => saved.delete(key),
})
beforeEach(() => saved.clear())

describe('the view that a tab without a session was asked to open', () => {
  it('is given once', () => {
    savePendingRoute('#/wallet/activity', 0)
    expect(takePendingRoute(1)).toBe('#/wallet/activity')
    expect(takePendingRoute(2)).toBeUndefined()
  })

  it('expires, also if the clock was set back', () => {
    savePendingRoute('#/wallet', 0)
    expect(takePendingRoute(10 * MINUTE)).toBeUndefined()
    savePendingRoute('#/wallet', 60 * MINUTE)
    expect(takePendingRoute(0)).toBeUndefined()
  })

  it.each(['', '#/', '#/chat', '#/nowhere', '#code=secret'])('is not saved from %j', (fragment) => {
    savePendingRoute(fragment, 0)
    expect([...saved]).toEqual([])
  })

  it('is a view whatever was written', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
        saved.set(KEY, text)
        const address = takePendingRoute(0)
        expect(address === undefined || address.startsWith('#/')).toBe(true)
      }),
    )
  })
})
