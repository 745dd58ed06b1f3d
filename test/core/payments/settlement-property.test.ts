import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { LookedUp } from '../../../src/core/payments/index.ts'
import { isPaid, isUncertain } from '../../../src/shared/payment-record.ts'
import type { ErrorCode } from '../../../src/shared/error-codes.ts'
import { payerWorld } from './payer-world.ts'

const MINUTE = 60_000
const refusal = fc.constantFrom<ErrorCode>(
  'wallet/insufficient-balance',
  'wallet/budget-exceeded',
  'wallet/refused',
  'wallet/rate-limited',
)
/** The first answer of the wallet, and how long it takes. */
const first = fc.record({
  after: fc.constantFrom(0, 5000, 30_000, 2 * MINUTE, Infinity),
  says: fc.oneof(refusal, fc.constantFrom('proof' as const, 'unknown' as const, 'wrong' as const)),
})
/** A later answer to the same request. */
const later = fc.record({ after: fc.integer({ min: 0, max: 20 * MINUTE }), proves: fc.boolean() })
const looked = fc.constantFrom(
  'settled',
  'proof',
  'wrong',
  'failed',
  'expired',
  'pending',
  'held',
  'not-found',
  'unreachable',
)

it('however a wallet answers, looks up, repeats and delays, a payment that was proven is paid, and no wallet is asked twice', async () => {
  await fc.assert(
    fc.asyncProperty(
      first,
      fc.array(later, { maxLength: 3 }),
      fc.array(looked, { minLength: 1, maxLength: 6 }),
      fc.boolean(),
      async (answer, laters, lookups, canLookUp) => {
        await using world = payerWorld()
        world.wallet.canLookUp = canLookUp
        const { id } = await world.quoted()
        const { preimage } = world.service.issued[0]!
        const wrong = '00'.repeat(32)
        const seen = { proof: false }
        world.wallet.pays = async (_, { onLater, signal }) => {
          const proofs = laters.map(async ({ after, proves }) => {
            await world.clock.wait(after, signal)
            if (proves) seen.proof = true
            onLater?.({ preimage: proves ? preimage : wrong })
          })
          for (const proof of proofs) proof.catch(() => undefined)
          if (answer.after === Infinity) return new Promise(() => undefined)
          await world.clock.wait(answer.after, signal).catch(() => undefined)
          if (signal.aborted) return { outcome: 'unknown' }
          if (answer.says === 'proof') seen.proof = true
          if (answer.says === 'proof' || answer.says === 'wrong')
            return { outcome: 'paid', preimage: answer.says === 'proof' ? preimage : wrong }
          return answer.says === 'unknown'
            ? { outcome: 'unknown' }
            : { outcome: 'refused', code: answer.says }
        }
        let round = 0
        world.wallet.looks = (): LookedUp => {
          const state = lookups[Math.min(round++, lookups.length - 1)]!
          if (state === 'proof') seen.proof = true
          if (state === 'proof' || state === 'wrong')
            return { state: 'settled', preimage: state === 'proof' ? preimage : wrong }
          return { state }
        }
        const paying = world.payer.pay(id, { asks: 'person', from: 'window' }, new AbortController().signal)
        paying.catch(() => undefined)
        await world.clock.pass(40 * MINUTE)
        const { state } = world.record(id)
        expect(isPaid(state)).toBe(seen.proof)
        // Each record has a final state, or a state that shows that the payment is still open.
        expect(isPaid(state) || isUncertain(state) || state === 'failed' || state === 'expired').toBe(true)
        expect(world.wallet.asked).toHaveLength(1)
      },
    ),
    { numRuns: 300 },
  )
})

it('however often Sotto restarts and a person closes the payment, a proof that a lookup returns in time is paid, once', async () => {
  const step = fc.constantFrom('restart', 'close', 'wait')
  await fc.assert(
    fc.asyncProperty(
      fc.array(looked, { minLength: 1, maxLength: 8 }),
      fc.array(step, { maxLength: 8 }),
      async (lookups, steps) => {
        await using world = payerWorld()
        const { id } = await world.quoted()
        const { preimage } = world.service.issued[0]!
        world.wallet.pays = () => new Promise(() => undefined)
        let [round, proof] = [0, false]
        world.wallet.looks = (): LookedUp => {
          const state = lookups[Math.min(round++, lookups.length - 1)]!
          if (state === 'proof') proof = true
          if (state === 'proof' || state === 'wrong')
            return { state: 'settled', preimage: state === 'proof' ? preimage : '00'.repeat(32) }
          return { state }
        }
        world.payer
          .pay(id, { asks: 'person', from: 'window' }, new AbortController().signal)
          .catch(() => undefined)
        await world.clock.pass(1000)
        for (const each of steps) {
          if (each === 'restart') await world.restart()
          const { state } = world.record(id)
          if (each === 'close' && (state === 'held' || state === 'unknown')) world.payer.abandon(id)
          await world.clock.pass(MINUTE)
        }
        await world.clock.pass(40 * MINUTE)
        expect(isPaid(world.record(id).state)).toBe(proof)
        expect(world.wallet.asked).toHaveLength(1)
        expect(world.service.sent.filter(({ authorization }) => authorization !== undefined).length).toBe(
          proof ? 1 : 0,
        )
      },
    ),
    { numRuns: 200 },
  )
})
