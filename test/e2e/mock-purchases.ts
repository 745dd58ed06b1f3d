import { createHash } from 'node:crypto'
import type { DataEndpoint, PurchaseAsk } from '../../src/shared/contract/purchases.ts'
import type { ErrorCode } from '../../src/shared/error-codes.ts'
import type { Purchase } from '../../src/shared/purchase.ts'
import { hex, usd } from './mock-data.ts'
import type { MockWallet } from './mock-wallet.ts'

export const MOCK_PREIMAGE = hex(81, 32)
const MOCK_PAYMENT_HASH = createHash('sha256').update(Buffer.from(MOCK_PREIMAGE, 'hex')).digest('hex')
/** As long as an invoice with a description. */
export const MOCK_INVOICE = `lnbcrt530n1p5${'qpzry9x8gf2tvdw0s3jn54khce6mua7l'.repeat(9)}`
export const MOCK_URI = `LIGHTNING:${MOCK_INVOICE.toUpperCase()}`

/** A picture of four pixels, and a file that claims to be one. */
export const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAIAAAD91JpzAAAAFklEQVR42mNk+M9Qz0AEYBxVSF+FAAhKDveksOjmAAAAAElFTkSuQmCC',
  'base64',
)
export const SVG = Buffer.from(
  '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>window.wasRun = true</script></svg>',
)

const mockEndpoints: DataEndpoint[] = [
  {
    method: 'POST',
    path: '/api/websearch/search',
    name: 'Web search',
    description: 'Searches the web.',
    group: 'websearch',
    price: usd(0.011),
  },
  { method: 'POST', path: '/api/websearch/answer', group: 'websearch' },
  {
    method: 'GET',
    path: '/api/maps/place-details/full',
    name: 'Place details',
    group: 'maps',
    price: usd(0.03),
  },
]

/** Purchases of the mock core. A test changes them, and `turn` sends a change to the window. */
export interface MockPurchases {
  /** Newest first. */
  list: Purchase[]
  files: Map<string, { contentType: string; bytes: Buffer }[]>
  answer: string
  /** The data endpoints of the price list. undefined: the list can't be loaded. */
  endpoints: DataEndpoint[] | undefined
  /** The state after the next payment. */
  outcome: Purchase['state']
  payable: boolean
  /** Delays calls. */
  before: () => Promise<void>
  /** Delays the response to a payment while the window already follows the purchase. */
  after: () => Promise<void>
  /** Changes a purchase, like the core after news from the wallet or the service. */
  turn(id: string, part: Partial<Purchase>): void
}

export function purchase(id: string, part: Partial<Purchase> = {}): Purchase {
  return {
    id,
    at: Date.now() - 60_000,
    caller: { kind: 'window' },
    host: 'api.service.example',
    endpoint: 'images/generations',
    subject: 'sandbox/painter',
    state: 'delivered',
    amountMsat: '53000',
    listed: usd(0.0424),
    paymentHash: MOCK_PAYMENT_HASH,
    expiresAt: Date.now() + 240_000,
    asks: [],
    payable: true,
    attempts: 1,
    files: [],
    ...part,
  }
}

export function mockPurchases(): MockPurchases {
  return {
    list: [],
    files: new Map(),
    answer: '{"results":[{"title":"A quiet room"}]}',
    endpoints: mockEndpoints,
    outcome: 'delivered',
    payable: false,
    before: () => Promise.resolve(),
    after: () => Promise.resolve(),
    turn: () => undefined,
  }
}

interface Around {
  readonly state: { wallet: MockWallet; purchases: MockPurchases }
  readonly refuse: (code: ErrorCode) => never
  readonly confirm: (question: string, signal: AbortSignal | undefined) => Promise<void>
}

/** The purchase procedures of the mock core, without a service or a wallet. */
export function createMockPurchases({ state, refuse, confirm }: Around) {
  const { purchases } = state
  const followers = new Set<(changed: Purchase[]) => void>()
  let count = 0
  const find = (id: string): Purchase =>
    purchases.list.find((each) => each.id === id) ?? refuse('payment/unknown')
  function turn(id: string, part: Partial<Purchase>): Purchase {
    const changed = { ...find(id), ...part }
    purchases.list = purchases.list.map((each) => (each.id === id ? changed : each))
    for (const take of followers) take([changed])
    return changed
  }
  purchases.turn = turn
  function deliver(id: string): Purchase {
    const { uri: _, ...known } = find(id)
    purchases.list = purchases.list.map((each) => (each.id === id ? known : each))
    if (purchases.outcome !== 'delivered') return turn(id, { state: purchases.outcome })
    const files =
      purchases.files.get(id) ?? (known.endpoint === 'data' ? [] : [{ contentType: 'image/png', bytes: PNG }])
    purchases.files.set(id, files)
    return turn(id, {
      state: 'delivered',
      attempts: known.attempts + 1,
      files: files.map(({ contentType, bytes }, place) => ({
        index: place + 1,
        contentType,
        bytes: bytes.length,
      })),
    })
  }
  return {
    dataEndpoints: () => purchases.endpoints ?? refuse('service/unreachable'),
    async quote(ask: PurchaseAsk): Promise<Purchase> {
      await purchases.before()
      const subject =
        ask.endpoint === 'data'
          ? ask.path
          : ask.endpoint === 'images/edits'
            ? ask.fields['model']
            : ask.body['model']
      const { connection, rate } = state.wallet.view
      const asked = purchase(`p-${String((count += 1))}`, {
        at: Date.now(),
        expiresAt: Date.now() + 299_000,
        endpoint: ask.endpoint,
        subject: typeof subject === 'string' ? subject : '',
        state: 'quoted',
        attempts: 0,
        description: 'An image by Painter',
        uri: MOCK_URI,
        payable: purchases.payable,
        asks: connection && state.wallet.view.hosts.length === 0 ? ['first-host'] : [],
        ...(rate && { worth: (53n * BigInt(rate.picoUsdPerSat)).toString() }),
      })
      purchases.list = [asked, ...purchases.list]
      for (const take of followers) take([asked])
      return asked
    },
    async pay(id: string, signal: AbortSignal | undefined): Promise<Purchase> {
      await purchases.before()
      if (!state.wallet.view.connection) refuse('wallet/not-connected')
      if (find(id).asks.includes('first-host')) {
        await confirm('Pay 53 sats to api.service.example.', signal)
        state.wallet.view = {
          ...state.wallet.view,
          hosts: [{ host: 'api.service.example', spentInDay: '53000', firstPaidAt: Date.now() }],
          spent: { day: '53000', held: '0' },
        }
      }
      const delivered = deliver(id)
      await purchases.after()
      return delivered
    },
    prove(id: string, preimage: string): Purchase {
      if (preimage !== MOCK_PREIMAGE) refuse('payment/invalid-preimage')
      return deliver(id)
    },
    decline(id: string): Purchase {
      const { uri: _, ...known } = find(id)
      purchases.list = purchases.list.map((each) => (each.id === id ? known : each))
      return turn(id, { state: 'declined' })
    },
    async retryDelivery(id: string): Promise<Purchase> {
      await purchases.before()
      if (purchases.outcome !== 'delivered') {
        turn(id, { attempts: find(id).attempts + 1 })
        refuse('payment/undelivered')
      }
      return deliver(id)
    },
    async abandon(id: string, signal: AbortSignal | undefined): Promise<Purchase> {
      const { state } = find(id)
      if (state === 'unknown' || state === 'held') {
        await confirm('Close the payment whose outcome isn’t known.', signal)
        return turn(id, { state: 'closed' })
      }
      if (state !== 'undelivered') refuse('payment/cannot-close')
      await confirm('Give up what was paid and was not delivered.', signal)
      return turn(id, { state: 'given-up' })
    },
    async proof(id: string, signal: AbortSignal | undefined) {
      await confirm('Show the proof of a payment.', signal)
      return {
        fileName: `sotto-proof-${find(id).id}.json`,
        text: JSON.stringify({ invoice: MOCK_INVOICE, preimage: MOCK_PREIMAGE }),
      }
    },
    answer: (_id: string) => ({ text: purchases.answer }),
    // Numbered like in the core: the reply itself is the first.
    file(id: string, index: number): Blob {
      const file = purchases.files.get(id)?.[index - 1] ?? refuse('payment/nothing-delivered')
      return new Blob([new Uint8Array(file.bytes)], { type: file.contentType })
    },
    list: () => purchases.list,
    async *watch(signal: AbortSignal | undefined): AsyncGenerator<Purchase[], void> {
      const waiting: Purchase[][] = []
      let wake: () => void = () => undefined
      const take = (changed: Purchase[]): void => {
        waiting.push(changed)
        wake()
      }
      const gone = () => signal?.aborted === true
      signal?.addEventListener('abort', () => wake())
      followers.add(take)
      try {
        yield purchases.list
        while (!gone()) {
          const changed = waiting.shift()
          if (changed) yield changed
          else
            await new Promise<void>((resolve) => {
              wake = resolve
            })
        }
      } finally {
        followers.delete(take)
      }
    },
  }
}
