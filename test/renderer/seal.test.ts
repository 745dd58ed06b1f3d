import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { sealOf } from '../../src/renderer/ui/seal.ts'

const message = fc.record({
  isPrivate: fc.boolean(),
  isBlocked: fc.boolean(),
  verdict: fc.constantFrom('verified', 'refused', 'ended', 'none'),
  currentChat: fc.record({ privacy: fc.constantFrom('relayed', 'forwarded'), mayForward: fc.boolean() }),
})

describe('the privacy state of the next message', () => {
  it('is never Private after a failed verification, and never Private for a model that isn’t', () => {
    fc.assert(
      fc.property(message, (next) => {
        if (sealOf(next) !== 'sealed') return
        expect(next.isPrivate).toBe(true)
        expect(next.isBlocked).toBe(false)
        expect(next.verdict).not.toBe('refused')
      }),
    )
  })

  it('is Blocked exactly when nothing would be sent', () => {
    fc.assert(
      fc.property(message, (next) => {
        const isRefused = next.isBlocked || (next.isPrivate && next.verdict === 'refused')
        expect(sealOf(next) === 'refused').toBe(isRefused)
      }),
    )
  })

  it('of a model that isn’t private follows the chat route, whatever the verdict is', () => {
    fc.assert(
      fc.property(message, (next) => {
        expect(sealOf({ ...next, isPrivate: false, isBlocked: false })).toBe(next.currentChat.privacy)
      }),
    )
  })
})
