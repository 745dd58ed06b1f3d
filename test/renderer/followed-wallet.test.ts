import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Purchase } from '../../src/shared/purchase.ts'
import type { Status } from '../../src/shared/status.ts'
import type { Topup } from '../../src/shared/topup.ts'

/** The stream of changes, to which the test writes. */
let stream: ReadableStreamDefaultController<unknown[]>
/** Calls that wait for the test's answer. */
let answers: ((answer: unknown) => void)[] = []

const watch = (_input: undefined, { signal }: { signal: AbortSignal }) =>
  new ReadableStream<unknown[]>({
    start(controller) {
      stream = controller
      signal.addEventListener('abort', () => controller.error(signal.reason))
    },
  })
const waits = () => new Promise((resolve) => answers.push(resolve))

vi.mock('../../src/renderer/ui/api.ts', () => ({
  inDesktop: true,
  api: {
    wallet: { get: () => Promise.reject(new Error('not asked here')) },
    topups: { watch, check: waits, create: waits, payFromWallet: waits },
    purchases: {
      watch,
      quote: waits,
      pay: waits,
      prove: waits,
      decline: waits,
      retryDelivery: waits,
      abandon: waits,
    },
  },
}))

const { setStatus } = await import('../../src/renderer/ui/status-store.ts')
const { currentScope } = await import('../../src/renderer/data/service-scope.tsx')
const { readScopedState } = await import('../../src/renderer/data/use-answer.ts')
const { follow } = await import('../../src/renderer/data/live-list.ts')
const topups = await import('../../src/renderer/features/wallet/topups/topup-store.ts')
const purchases = await import('../../src/renderer/features/wallet/purchases/purchase-store.ts')

const topup = (part: Partial<Topup> = {}): Topup => ({
  id: 'one',
  invoiceId: 'invoice-1',
  accountId: 'a',
  method: 'btc-lightning',
  state: 'new',
  amount: '1',
  currency: 'USD',
  createdAt: 0,
  payable: false,
  ...part,
})
const purchase = (part: Partial<Purchase> = {}): Purchase => ({
  id: 'one',
  at: 0,
  caller: { kind: 'window' },
  host: 'service.example',
  endpoint: 'images/generations',
  subject: 'sandbox/painter',
  state: 'quoted',
  amountMsat: '1000',
  paymentHash: '00'.repeat(32),
  expiresAt: 1000,
  asks: [],
  payable: false,
  attempts: 0,
  files: [],
  ...part,
})
const followTopups = () => void follow(currentScope(), topups.topupList, left.signal)
const followPurchases = () => void follow(currentScope(), purchases.purchaseList, left.signal)
const shownTopups = () =>
  readScopedState(currentScope(), topups.topupList.state).items?.map(({ id, state }) => [id, state])
const shownPurchases = () =>
  readScopedState(currentScope(), purchases.purchaseList.state).items?.map(({ id, state }) => [id, state])

/** The tests need only the parts by which services differ. */
function useService(profileId: string): void {
  setStatus({
    service: { profileId, baseUrl: 'https://a.example' },
    account: { connected: false },
    vault: { state: 'open' },
  } as Status)
}

let left: AbortController
beforeEach(() => {
  vi.useFakeTimers()
  left = new AbortController()
  answers = []
  useService('one')
  currentScope().client.clear()
})
afterEach(() => {
  left.abort()
  vi.useRealTimers()
})

/** Waits until sent values arrive. */
const arrive = () => vi.advanceTimersByTimeAsync(0)
const send = (...values: unknown[]) => {
  stream.enqueue(values)
  return arrive()
}

describe('a followed top-up', () => {
  test.each([
    ['paying it', () => topups.payTopup('one')],
    ['asking about it', () => topups.checkTopup('one')],
  ])('keeps its newer state when the response to %s arrives late', async (_, call) => {
    followTopups()
    await send(topup())
    const called = call()
    await send(topup({ payment: 'paid' }))
    await send(topup({ state: 'settled', payment: 'paid' }))
    answers[0]?.(topup({ payment: 'paid' }))
    await called
    expect(shownTopups()).toEqual([['one', 'settled']])
  })

  test('is listed once it is created, whether the response or the event comes first', async () => {
    followTopups()
    await send()
    const created = topups.createTopup({ method: 'btc-lightning', amount: '1', currency: 'USD' })
    answers[0]?.(topup())
    await created
    expect(shownTopups()).toEqual([['one', 'new']])
    const another = topups.createTopup({ method: 'btc-lightning', amount: '1', currency: 'USD' })
    await send(topup({ id: 'two', createdAt: 1, state: 'processing' }))
    answers[1]?.(topup({ id: 'two', createdAt: 1 }))
    await another
    expect(shownTopups()).toEqual([
      ['two', 'processing'],
      ['one', 'new'],
    ])
  })

  test('has the state of the latest response if no events are followed', async () => {
    const asked = topups.checkTopup('one')
    answers[0]?.(topup())
    await asked
    const again = topups.checkTopup('one')
    answers[1]?.(topup({ state: 'settled' }))
    await again
    expect(shownTopups()).toEqual([['one', 'settled']])
  })

  test('is discarded if its service is no longer selected', async () => {
    followTopups()
    await send(topup())
    const called = topups.checkTopup('one')
    useService('two')
    answers[0]?.(topup({ state: 'settled' }))
    await called
    expect(shownTopups()).toBeUndefined()
  })
})

describe('a followed purchase', () => {
  test.each([
    ['paying it', () => purchases.payPurchase('one')],
    ['proving that it is paid', () => purchases.provePurchase('one', '00'.repeat(32))],
    ['declining it', () => purchases.declinePurchase('one')],
    ['asking for its delivery', () => purchases.retryDelivery('one')],
    ['giving it up', () => purchases.abandonPurchase('one')],
  ])('keeps its newer state when the response to %s arrives late', async (_, call) => {
    followPurchases()
    await send(purchase())
    const called = call()
    await send(purchase({ state: 'paying' }))
    await send(purchase({ state: 'delivered' }))
    answers[0]?.(purchase({ state: 'paying' }))
    await called
    expect(shownPurchases()).toEqual([['one', 'delivered']])
  })

  test('is listed once its price is quoted', async () => {
    followPurchases()
    await send()
    const quoted = purchases.quotePurchase({
      endpoint: 'images/generations',
      body: { model: 'sandbox/painter', prompt: 'A room' },
    })
    answers[0]?.(purchase())
    expect((await quoted).id).toBe('one')
    expect(shownPurchases()).toEqual([['one', 'quoted']])
  })

  test('is discarded if its service is no longer selected', async () => {
    followPurchases()
    await send(purchase())
    const called = purchases.payPurchase('one')
    useService('two')
    answers[0]?.(purchase({ state: 'delivered' }))
    await called
    expect(shownPurchases()).toBeUndefined()
  })
})
