import { once } from 'node:events'
import { describe, expect, it } from 'vitest'
import type { FrozenRequest, Payer, PaymentRecord } from '../../../src/core/payments/index.ts'
import { isSettled, requestFingerprint } from '../../../src/core/payments/payment-state.ts'
import { createSingleRequests } from '../../../src/core/payments/single-requests.ts'
import type { PaymentState } from '../../../src/shared/purchase.ts'

const request: FrozenRequest = {
  endpoint: 'data',
  method: 'POST',
  path: '/v1/data/api/x',
  contentType: 'application/json',
  body: Buffer.from('{}'),
}
const caller = { kind: 'proxy', localKeyId: 'key' } as const
const ANSWER = { status: 200, files: [{ contentType: 'application/json', bytes: 2 }] }
const never = new AbortController().signal

/** A payer whose payments change as `then` decides. */
function script(
  then: (record: PaymentRecord) => PaymentRecord,
  before: PaymentRecord[] = [],
  { connected = true, lives = false } = {},
) {
  const records = new Map(before.map((record) => [record.id, record]))
  const done: string[] = []
  const paid: bigint[] = []
  const joined: boolean[] = []
  /** Pending payments end when the test dispatches a change here. */
  const changed = new EventTarget()
  const step = (id: string): Promise<PaymentRecord> => {
    const next = then(records.get(id)!)
    records.set(id, next)
    return Promise.resolve(next)
  }
  const payer: Pick<Payer, 'quote' | 'pay' | 'retry' | 'claim' | 'settled' | 'get' | 'list'> = {
    quote: () => {
      const created = recordOf(`new-${String(records.size)}`, 'quoted')
      done.push('quote')
      records.set(created.id, created)
      return Promise.resolve({ kind: 'quoted', record: created })
    },
    pay: (id) => {
      done.push(`pay ${id}`)
      return step(id)
    },
    retry: (id) => {
      done.push(`retry ${id}`)
      return step(id)
    },
    claim: (id) => {
      const { unclaimed: _, ...claimed } = records.get(id)!
      records.set(id, claimed)
    },
    async settled(id) {
      // Payments don't change automatically, and a closed payer doesn't wait for one.
      while (lives && !isSettled(records.get(id)!)) await once(changed, 'change')
      return records.get(id)!
    },
    get: (id) => records.get(id) ?? null,
    list: () => [...records.values()],
  }
  const become = (id: string, change: (record: PaymentRecord) => PaymentRecord): void => {
    records.set(id, change(records.get(id)!))
    changed.dispatchEvent(new Event('change'))
  }
  const single = createSingleRequests({
    payer,
    journal: {
      open: () =>
        [...records.values()].filter(
          ({ state }) => !['delivered', 'declined', 'failed', 'expired'].includes(state),
        ),
    },
    files: { read: (id) => Promise.resolve(Buffer.from(`{"of":"${id}"}`)) },
    wallet: () =>
      connected
        ? {
            publicKey: 'k',
            canLookUp: true,
            pay: () => Promise.reject(new Error()),
            lookUp: () => Promise.reject(new Error()),
          }
        : null,
    now: () => 1000,
  })
  const buy = (
    asked: FrozenRequest = request,
    who: { kind: 'proxy'; localKeyId: string } = caller,
    signal = never,
  ) =>
    single.buy(
      { request: asked, caller: who, subject: 's', receiptId: 'r' },
      {
        signal,
        onBuying: () => {
          joined.push(false)
          return Promise.resolve()
        },
        onJoined: () => joined.push(true),
        onLeaving: () => undefined,
        onPaid: (msat) => paid.push(msat),
      },
    )
  return { single, buy, done, paid, joined, become }
}

function recordOf(id: string, state: PaymentState, more: Partial<PaymentRecord> = {}): PaymentRecord {
  return {
    id,
    at: 0,
    caller,
    host: 'h',
    state,
    purpose: { kind: 'request', request, subject: 's' },
    invoice: 'i',
    paymentHash: 'p',
    amountMsat: 1000n,
    feeMsat: 5n,
    expiresAt: 5000,
    attempts: 0,
    ...more,
  }
}
const delivered = (record: PaymentRecord): PaymentRecord => ({
  ...record,
  state: 'delivered',
  delivered: ANSWER,
  unclaimed: requestFingerprint(caller, request),
})
const textOf = async (purchase: Promise<{ body: Uint8Array }>): Promise<string> =>
  Buffer.from((await purchase).body).toString()

describe('a purchase by a tool', () => {
  it('is priced, paid and returned', async () => {
    const { buy, done, paid } = script(delivered)
    expect(await buy()).toMatchObject({ status: 200, contentType: 'application/json' })
    expect([done, paid]).toEqual([['quote', 'pay new-0'], [1005n]])
  })
  it('is repeated if the tool sends the request again after the delivery', async () => {
    const { buy, done } = script(delivered)
    expect(await textOf(buy())).not.toBe(await textOf(buy()))
    expect(done.filter((each) => each.startsWith('pay'))).toHaveLength(2)
  })
  it('fails with the code of its payment', async () => {
    const { buy, paid } = script((record) => ({
      ...record,
      state: 'failed',
      failure: { code: 'wallet/budget-exceeded' },
    }))
    await expect(buy()).rejects.toMatchObject({ code: 'wallet/budget-exceeded' })
    expect(paid).toEqual([])
    const unresolved = script((record) => ({ ...record, state: 'unknown' }))
    await expect(unresolved.buy()).rejects.toMatchObject({ code: 'payment/unresolved' })
    const undelivered = script((record) => ({
      ...record,
      state: 'undelivered',
      failure: { code: 'payment/undelivered' },
    }))
    await expect(undelivered.buy()).rejects.toMatchObject({ code: 'payment/undelivered' })
    expect(undelivered.paid).toEqual([1005n])
  })
  it('needs a wallet before anything is sent', async () => {
    const { buy, done } = script(delivered, [], { connected: false })
    await expect(buy()).rejects.toMatchObject({ code: 'wallet/not-connected' })
    expect(done).toEqual([])
  })
})

describe('the same request of the same tool', () => {
  it.each<[PaymentState, string]>([
    ['paid', 'retry old'],
    ['undelivered', 'retry old'],
  ])('that is %s and has no response is delivered, and not bought again', async (state, wanted) => {
    const { buy, done } = script(delivered, [recordOf('old', state)])
    expect(await textOf(buy())).toBe('{"of":"old"}')
    expect(done).toEqual([wanted])
  })
  it.each(['paying', 'held', 'unknown'] as const)(
    'is not bought again while its payment is unresolved (%s)',
    async (state) => {
      const { buy, done } = script(delivered, [recordOf('old', state)])
      await expect(buy()).rejects.toMatchObject({ code: 'payment/unresolved' })
      expect(done).toEqual([])
    },
  )
  it('that was never delivered is bought again once its invoice has expired', async () => {
    const { buy, done } = script(delivered, [recordOf('old', 'undelivered', { expiresAt: 999 })])
    await buy()
    expect(done).toEqual(['quote', 'pay new-1'])
  })
  it('is bought again if its response is a video in progress', async () => {
    const { buy, done } = script(delivered, [
      recordOf('old', 'paid', {
        delivered: { ...ANSWER, statusUrl: 'u', job: { id: 'gen_1', status: 'pending' } },
      }),
    ])
    await buy()
    expect(done).toEqual(['quote', 'pay new-1'])
  })
  it('must come from the same tool and have the same bytes', async () => {
    for (const [asked, who] of [
      [request, { kind: 'proxy', localKeyId: 'other' }],
      [{ ...request, body: Buffer.from('{ }') }, caller],
      [{ ...request, path: '/v1/data/api/y' }, caller],
    ] as const) {
      const { buy, done } = script(delivered, [recordOf('old', 'paid')])
      await buy(asked, who)
      expect(done).toEqual(['quote', 'pay new-1'])
    }
  })
  it('sent twice at once causes two purchases', async () => {
    const { buy, done } = script(delivered, [recordOf('old', 'paid')])
    const texts = await Promise.all([textOf(buy()), textOf(buy())])
    expect(new Set(texts).size).toBe(2)
    expect(done.sort()).toEqual(['pay new-1', 'quote', 'retry old'])
  })
  it('joins the payment of a caller that disconnected, and a further request at the same time is a new purchase', async () => {
    const gone = new AbortController()
    const { buy, done, paid, joined, become } = script((record) => ({ ...record, state: 'paying' }), [], {
      lives: true,
    })
    const first = textOf(buy(request, caller, gone.signal))
    await expect.poll(() => done).toEqual(['quote', 'pay new-0'])
    gone.abort()
    const second = textOf(buy())
    // While another caller waits for that purchase, a further request is a new purchase.
    const third = textOf(buy())
    await expect.poll(() => done).toEqual(['quote', 'pay new-0', 'quote', 'pay new-1'])
    become('new-0', delivered)
    become('new-1', delivered)
    expect(await Promise.all([first, second, third])).toEqual([
      '{"of":"new-0"}',
      '{"of":"new-0"}',
      '{"of":"new-1"}',
    ])
    expect([joined, paid]).toEqual([
      [false, true, false],
      [1005n, 1005n],
    ])
    // The answer was delivered, so the next request pays.
    const fourth = textOf(buy())
    await expect.poll(() => done).toEqual(['quote', 'pay new-0', 'quote', 'pay new-1', 'quote', 'pay new-2'])
    become('new-2', delivered)
    expect(await fourth).toBe('{"of":"new-2"}')
  })
  it('is returned when it is ready, even if all earlier callers disconnected', async () => {
    const [gone, goneToo] = [new AbortController(), new AbortController()]
    const { buy, done, become } = script((record) => ({ ...record, state: 'paying' }), [], { lives: true })
    const asked = [textOf(buy(request, caller, gone.signal))]
    await expect.poll(() => done).toEqual(['quote', 'pay new-0'])
    gone.abort()
    asked.push(textOf(buy(request, caller, goneToo.signal)))
    goneToo.abort()
    become('new-0', delivered)
    await Promise.all(asked)
    expect(await textOf(buy())).toBe('{"of":"new-0"}')
    expect(done).toEqual(['quote', 'pay new-0'])
  })
  it('is returned by the next process if the tool didn’t read its response', async () => {
    const { buy, done } = script(delivered, [delivered(recordOf('old', 'delivered'))])
    const answer = await buy()
    expect(Buffer.from(answer.body).toString()).toBe('{"of":"old"}')
    // The tool is still reading it.
    expect(await textOf(buy())).toBe('{"of":"new-1"}')
    answer.onRead?.()
    expect(await textOf(buy())).toBe('{"of":"new-2"}')
    expect(done).toEqual(['quote', 'pay new-1', 'quote', 'pay new-2'])
  })
  it('is returned again if the tool disconnected while it read the response', async () => {
    const gone = new AbortController()
    const { buy, done } = script(delivered)
    await buy(request, caller, gone.signal)
    gone.abort()
    expect(await textOf(buy())).toBe('{"of":"new-0"}')
    expect(done).toEqual(['quote', 'pay new-0'])
  })
  it('that wasn’t read is bought again once its invoice has expired', async () => {
    const { buy, done } = script(delivered, [delivered(recordOf('old', 'delivered', { expiresAt: 999 }))])
    await buy()
    expect(done).toEqual(['quote', 'pay new-1'])
  })
  it('is returned once if its response came after the caller disconnected', async () => {
    const gone = AbortSignal.abort()
    const { buy, done } = script(delivered)
    await buy(request, caller, gone)
    expect(await textOf(buy())).toBe('{"of":"new-0"}')
    expect(await textOf(buy())).toBe('{"of":"new-1"}')
    expect(done).toEqual(['quote', 'pay new-0', 'quote', 'pay new-1'])
  })
})

it('a job has the address from its response, and the receipt of its request', () => {
  const { single } = script(delivered, [
    recordOf('a', 'delivered'),
    recordOf('b', 'paid', {
      receiptId: 'receipt-b',
      delivered: { ...ANSWER, statusUrl: 'https://x/y', job: { id: 'gen_1', status: 'pending' } },
    }),
  ])
  expect([single.jobOf('gen_1'), single.jobOf('gen_2')]).toEqual([
    { statusUrl: 'https://x/y', receiptId: 'receipt-b' },
    undefined,
  ])
})
