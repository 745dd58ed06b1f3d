import fc from 'fast-check'
import { expect, it } from 'vitest'
import { TokenRate } from '../../../../src/core/gateway/proxy/index.ts'

const reply = (tokens: number, localKeyId = 'key') => ({
  caller: { kind: 'proxy' as const, localKeyId },
  usage: { prompt: 0, completion: tokens },
})

it('counts everything that the reply reports, once, and only of its key', () => {
  const rate = new TokenRate(() => 0)
  rate.note({ caller: { kind: 'proxy', localKeyId: 'key' }, usage: { prompt: 3, completion: 4, total: 10 } })
  rate.note({ caller: { kind: 'proxy', localKeyId: 'key' } })
  rate.note({ caller: { kind: 'window' }, usage: { prompt: 3, completion: 4 } })
  rate.note(reply(50, 'another'))
  expect(() => rate.require('key', { tokensPerMinute: 11 })).not.toThrow()
  expect(() => rate.require('key', { tokensPerMinute: 10 })).toThrow(
    expect.objectContaining({ code: 'limit/tokens', status: 429 }),
  )
  expect(() => rate.require('key', {})).not.toThrow()
})

it('refuses exactly while the tokens of the last minute reach the limit, and the time to wait is right', () => {
  const seconds = fc.integer({ min: 0, max: 40 })
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 300 }),
      fc.array(fc.record({ wait: seconds, tokens: fc.integer({ min: 0, max: 200 }) }), { maxLength: 40 }),
      (tokensPerMinute, replies) => {
        let now = 5_000_000
        const rate = new TokenRate(() => now)
        const noted: { readonly at: number; readonly tokens: number }[] = []
        const refusal = (): { details: { retryAfterSeconds: number } } | undefined => {
          try {
            rate.require('key', { tokensPerMinute })
            return undefined
          } catch (thrown) {
            return thrown as { details: { retryAfterSeconds: number } }
          }
        }
        for (const { wait, tokens } of replies) {
          now += wait * 1000
          rate.note(reply(tokens))
          noted.push({ at: now, tokens })
          // Whole seconds: a reply counts for 60 of them after its own.
          const sum = noted.filter(({ at }) => at >= now - 60_000).reduce((all, each) => all + each.tokens, 0)
          const refused = refusal()
          expect(refused !== undefined).toBe(sum >= tokensPerMinute)
          if (!refused) continue
          const { retryAfterSeconds } = refused.details
          expect(retryAfterSeconds).toBeGreaterThan(0)
          const before = now
          now = before + retryAfterSeconds * 1000
          expect(refusal()).toBeUndefined()
          now = before
        }
      },
    ),
    { numRuns: 300 },
  )
})
