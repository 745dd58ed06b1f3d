import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createTopups } from '../../../../src/core/payments/topups/topups.ts'
import type { Topups, TopupsOptions } from '../../../../src/core/payments/topups/topups.ts'
import type { PaymentRecord } from '../../../../src/core/payments/index.ts'
import { SkippedEntries } from '../../../../src/core/gateway/relay/index.ts'
import { createStore, type Store } from '../../../../src/core/storage/index.ts'
import { SottoError } from '../../../../src/shared/errors.ts'
import type { Fetch } from '../../../../src/shared/fetch.ts'
import { topup } from '../../storage/payment-examples.ts'

const KEY = new Uint8Array(32).fill(7)
const SECOND = 1_000
const DAY = 86_400_000
const START = 1_800_000_000_000

/** Requests to the service: each status request for a top-up waits until the test answers. */
const questions: PromiseWithResolvers<string>[] = []
const asking: Fetch = async () => {
  const question = Promise.withResolvers<string>()
  questions.push(question)
  const status = await question.promise
  async function* body(): AsyncGenerator<Uint8Array, void> {
    await Promise.resolve()
    yield Buffer.from(JSON.stringify({ invoice_id: 'invoice-1', status }))
  }
  return { status: 200, headers: new Headers(), body: body() }
}

let store: Store
let topups: Topups
let credited: TopupsOptions['payer']['credited'] = () => undefined
let hasAccount = true
/** Resolves when the wallet has paid. */
let paid = Promise.withResolvers<undefined>()

async function* changes(signal: AbortSignal): AsyncGenerator<PaymentRecord, void> {
  const record: PaymentRecord = {
    id: 'p',
    at: START,
    caller: { kind: 'window' },
    host: 'h',
    purpose: { kind: 'topup', topupId: 'topup-1' },
    state: 'paid',
    invoice: '',
    paymentHash: 'aa'.repeat(32),
    amountMsat: 1n,
    expiresAt: START,
    attempts: 0,
  }
  for (;;) {
    await paid.promise
    if (signal.aborted) return
    paid = Promise.withResolvers()
    yield record
  }
}

beforeEach(() => {
  vi.useFakeTimers({ now: START })
  questions.length = 0
  credited = () => undefined
  store = createStore({ folder: null, key: KEY, now: Date.now })
  store.topups.put({
    ...topup('topup-1'),
    invoiceId: 'invoice-1',
    createdAt: START,
    expiresAt: START + DAY,
    state: 'new',
  })
  hasAccount = true
  const access = () => {
    if (!hasAccount) throw new SottoError('account/unknown')
    return { baseUrl: 'https://service.example', apiKey: 'key-12345678' }
  }
  topups = createTopups({
    store,
    fetch: asking,
    now: Date.now,
    payer: {
      changes,
      credited: (id) => credited(id),
      payInvoice: () => Promise.reject(new Error('not here')),
    },
    accounts: { activeId: () => 'first', accessOf: access, access },
    service: { name: 'S', kind: 'service', lightningNetwork: 'bitcoin' },
    skipped: new SkippedEntries(),
  })
})
afterEach(async () => {
  for (const { resolve } of questions) resolve('New')
  paid.resolve(undefined)
  await topups[Symbol.asyncDispose]()
  store.close()
  vi.useRealTimers()
})

const settle = () => vi.advanceTimersByTimeAsync(0)

describe('a pending top-up', () => {
  test('is checked again if it was paid during a check, because that result may be outdated', async () => {
    topups.resume()
    await settle()
    expect(questions).toHaveLength(1)
    paid.resolve(undefined)
    await settle()
    questions[0]?.resolve('New')
    await vi.advanceTimersByTimeAsync(SECOND)
    expect(questions).toHaveLength(2)
    questions[1]?.resolve('Settled')
    await settle()
    expect(topups.list()).toMatchObject([{ state: 'settled' }])
  })

  test.each([DAY, 40 * DAY])('is checked on time after the clock was set back by %i ms', async (back) => {
    topups.resume()
    await settle()
    questions[0]?.resolve('New')
    await settle()
    vi.setSystemTime(Date.now() - back)
    const looks = vi.spyOn(store.topups, 'list')
    await vi.advanceTimersByTimeAsync(180 * SECOND)
    expect(questions).toHaveLength(2)
    expect(looks.mock.calls.length).toBeLessThan(20)
  })

  test('is reported as settled even if the proof of its payment can’t be dropped', async () => {
    credited = () => {
      throw new Error('a disk that is full')
    }
    const stopped = new AbortController()
    const reportedStates: string[] = []
    const following = (async () => {
      for await (const all of topups.watch(stopped.signal))
        reportedStates.push(...all.map(({ state }) => state))
    })()
    await settle()
    questions[0]?.resolve('Settled')
    await settle()
    expect(reportedStates.at(-1)).toBe('settled')
    stopped.abort()
    await following
  })

  test('is checked again once the store can be read again', async () => {
    const odd: unknown[] = []
    const note = (reason: unknown) => odd.push(reason)
    process.on('unhandledRejection', note)
    topups.resume()
    await settle()
    const unreadable = vi.spyOn(store.topups, 'list').mockImplementation(() => {
      throw new SottoError('store/damaged')
    })
    questions[0]?.resolve('New')
    await settle()
    paid.resolve(undefined)
    await settle()
    unreadable.mockRestore()
    paid.resolve(undefined)
    await settle()
    expect(questions).toHaveLength(2)
    vi.useRealTimers()
    await new Promise((resolve) => {
      setImmediate(resolve)
    })
    process.off('unhandledRejection', note)
    expect(odd).toEqual([])
  })

  test('is checked rarely once its account is gone, and no timer is longer than Node allows', async () => {
    hasAccount = false
    const looks = vi.spyOn(store.topups, 'list')
    const timers = vi.spyOn(globalThis, 'setTimeout')
    topups.resume()
    for (let at = START; at < START + 8 * DAY; at += 60 * SECOND) {
      await vi.advanceTimersByTimeAsync(60 * SECOND)
      expect(looks.mock.calls.length).toBeLessThan(100)
    }
    expect(Math.max(...timers.mock.calls.map(([, ms]) => ms ?? 0))).toBeLessThan(2 ** 31)
    expect(questions).toHaveLength(0)
  })
})
