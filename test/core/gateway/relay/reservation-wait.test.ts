import { expect, it } from 'vitest'
import type { Reservation } from '../../../../src/core/gateway/relay/budgets.ts'
import { ReceiptDraft } from '../../../../src/core/gateway/relay/receipt-draft.ts'
import { SottoError } from '../../../../src/shared/errors.ts'
import type { Receipt } from '../../../../src/shared/receipt.ts'

/** A draft whose budget answers when the test decides, as a shared database does. */
function begin() {
  const receipts: Receipt[] = []
  const settled: (bigint | 'unknown')[] = []
  const answer = Promise.withResolvers<Reservation>()
  const reservation: Reservation = {
    day: 1,
    settle(cost) {
      settled.push(cost)
      return cost === 'unknown' ? 50n : cost
    },
  }
  const gone = new AbortController()
  const draft = new ReceiptDraft(
    { put: (receipt) => receipts.push(receipt) },
    {
      at: 0,
      caller: { kind: 'proxy', localKeyId: 'key' },
      service: 'sandbox',
      model: 'm',
      path: '/v1/chat/completions',
    },
  )
  const reserving = draft.reserve(
    { reserve: () => answer.promise },
    { least: 1n, most: 50n },
    { signal: gone.signal },
  )
  return {
    draft,
    reserving,
    gone,
    receipts,
    settled,
    answer: () => answer.resolve(reservation),
    refuse: answer.reject,
  }
}

it('a caller that leaves while the database reserves is charged nothing, and nothing is sent', async () => {
  const { draft, reserving, gone, receipts, settled, answer } = begin()
  gone.abort()
  answer()
  await expect(reserving).rejects.toMatchObject({ code: 'request/canceled' })
  draft.failWith(new SottoError('request/canceled'), 'proxy/internal')
  expect(settled).toEqual([0n])
  expect(receipts).toMatchObject([{ privacy: 'refused', outcome: 'cancelled', charged: '0' }])
})

it('a reservation that arrives after the receipt ends at once', async () => {
  const { draft, reserving, receipts, settled, answer } = begin()
  draft.failWith(new SottoError('request/locked'), 'proxy/internal')
  answer()
  await expect(reserving).rejects.toMatchObject({ code: 'request/canceled' })
  expect(settled).toEqual([0n])
  expect(receipts).toHaveLength(1)
})

it('a refusal of the database ends the request, with its reason', async () => {
  const { reserving, settled, refuse } = begin()
  refuse(new SottoError('database/unreachable'))
  await expect(reserving).rejects.toMatchObject({ code: 'database/unreachable' })
  expect(settled).toEqual([])
})

it('a local budget reserves before the call returns', () => {
  const draft = new ReceiptDraft(
    { put: () => undefined },
    { at: 0, caller: { kind: 'proxy', localKeyId: 'key' }, service: 'sandbox', model: 'm', path: '/' },
  )
  let reserved = false
  const budgets = {
    reserve: () => {
      reserved = true
      return { day: 1, settle: () => 0n }
    },
  }
  void draft.reserve(budgets, 'unknown', { signal: new AbortController().signal })
  expect(reserved).toBe(true)
})
