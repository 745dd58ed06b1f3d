import type { ErrorCode } from '../../src/shared/error-codes.ts'
import type { Topup, TopupMethod } from '../../src/shared/topup.ts'
import { hex } from './mock-data.ts'

const MINUTE = 60_000

/** Limits observed at a public service. */
const topupMethods: readonly TopupMethod[] = [
  {
    method: 'btc-lightning',
    displayName: 'Bitcoin Lightning',
    currencies: [
      { currency: 'USD', min: '0.1', max: '1000' },
      { currency: 'BTC', min: '0.000001', max: '0.01' },
      { currency: 'SATS', min: '100', max: '1000000' },
    ],
  },
  {
    method: 'btc',
    displayName: 'Bitcoin',
    currencies: [
      { currency: 'USD', min: '10', max: '10000' },
      { currency: 'BTC', min: '0.0001', max: '0.1' },
      { currency: 'SATS', min: '10000', max: '10000000' },
    ],
  },
  { method: 'ltc', displayName: 'Litecoin', currencies: [{ currency: 'USD', min: '2', max: '1000' }] },
  {
    method: 'lbtc',
    displayName: 'Liquid Bitcoin',
    currencies: [{ currency: 'USD', min: '2', max: '10000' }],
  },
  { method: 'xmr', displayName: 'Monero', currencies: [{ currency: 'USD', min: '5', max: '10000' }] },
]

/** As long as a real invoice, but not payable. */
const lightningInvoice = (seed: number): string => `lnbcrt50u1p${hex(seed, 140)}`

const addresses: Readonly<
  Record<
    Exclude<TopupMethod['method'], 'btc-lightning'>,
    (seed: number) => Pick<Topup, 'address' | 'coinAmount' | 'uri'>
  >
> = {
  btc: (seed) =>
    coin(`bcrt1q${hex(seed, 19)}`, '0.00012345', (address, amount) => `bitcoin:${address}?amount=${amount}`),
  ltc: (seed) =>
    coin(`rltc1q${hex(seed, 19)}`, '0.05812', (address, amount) => `litecoin:${address}?amount=${amount}`),
  lbtc: (seed) =>
    coin(
      `ert1q${hex(seed, 19)}`,
      '0.00005',
      (address, amount) => `liquidnetwork:${address}?amount=${amount}&assetid=${hex(5, 32)}`,
    ),
  xmr: (seed) =>
    coin(`5${hex(seed, 47)}`, '0.031415926535', (address, amount) => `monero:${address}?tx_amount=${amount}`),
}

function coin(address: string, coinAmount: string, uri: (address: string, amount: string) => string) {
  return { address, coinAmount, uri: uri(address, coinAmount) }
}

export function topup(id: string, part: Partial<Topup> = {}): Topup {
  const now = Date.now()
  const { method = 'btc-lightning' } = part
  const seed = Buffer.from(id).reduce((sum, byte) => (sum * 31 + byte) >>> 0, 7)
  const invoice = lightningInvoice(seed)
  return {
    id,
    invoiceId: `invoice-${id}`,
    accountId: 'a1',
    method,
    state: 'new',
    amount: '5',
    currency: 'USD',
    createdAt: now - 20_000,
    expiresAt: now + 15 * MINUTE - 20_000,
    payable: false,
    ...(method === 'btc-lightning'
      ? { lightningInvoice: invoice, coinAmount: '0.00005', uri: `LIGHTNING:${invoice.toUpperCase()}` }
      : addresses[method](seed)),
    ...part,
  }
}

/** A top-up that can't be paid any more, so the core returns no URI. */
export function ended(id: string, part: Partial<Topup> = {}): Topup {
  const { uri: _uri, ...rest } = topup(id, {
    state: 'settled',
    createdAt: Date.now() - 3 * 86_400_000,
    expiresAt: Date.now() - 3 * 86_400_000 + 15 * MINUTE,
    ...part,
  })
  return rest
}

/** A change of a top-up; `uri: null` removes its code. */
export type TopupChange = Partial<Omit<Topup, 'uri'>> & { uri?: null }

export interface MockTopups {
  methods: readonly TopupMethod[]
  /** Newest first. */
  list: Topup[]
  /** The low-balance threshold in dollars. */
  lowBalance: string
  /** The result of a payment by the wallet. */
  pays: (topup: Topup) => Promise<TopupChange>
  /** The service's answer to a status check. */
  checks: (topup: Topup) => TopupChange
  /** Delays calls. */
  before: () => Promise<void>
  /** Changes a top-up, and sends it to the windows that follow. */
  change(id: string, change: TopupChange): void
  /** Interrupts every stream. */
  cut(): void
}

interface Around {
  readonly state: { topups: MockTopups; accounts: { list: { account: { id: string; active: boolean } }[] } }
  readonly refuse: (code: ErrorCode) => never
  readonly confirm: (question: string, signal: AbortSignal | undefined) => Promise<void>
}

const followers = new WeakMap<MockTopups, Set<(changed: Topup[] | null) => void>>()

export function mockTopups(): MockTopups {
  const windows = new Set<(changed: Topup[] | null) => void>()
  const topups: MockTopups = {
    methods: topupMethods,
    list: [],
    lowBalance: '1',
    pays: () => Promise.resolve({ state: 'settled', payment: 'paid', feeMsat: '3000' }),
    checks: () => ({}),
    before: () => Promise.resolve(),
    change(id, { uri, ...part }) {
      const at = topups.list.findIndex((each) => each.id === id)
      const { uri: had, ...rest } = topups.list[at]!
      const changed: Topup = { ...rest, ...(uri !== null && had !== undefined && { uri: had }), ...part }
      topups.list[at] = changed
      for (const tell of windows) tell([changed])
    },
    cut() {
      for (const tell of windows) tell(null)
    },
  }
  followers.set(topups, windows)
  return topups
}

/** The top-up procedures of the mock core, without a service. */
export function createMockTopups({ state, refuse, confirm }: Around) {
  let count = 0
  const find = (topupId: string): Topup =>
    state.topups.list.find(({ id }) => id === topupId) ?? refuse('topup/unknown')
  return {
    async methods() {
      await state.topups.before()
      return [...state.topups.methods]
    },
    async create({
      method,
      amount,
      currency,
    }: Pick<Topup, 'method' | 'amount' | 'currency'>): Promise<Topup> {
      await state.topups.before()
      const account =
        state.accounts.list.find(({ account: { active } }) => active)?.account ?? refuse('service/no-account')
      const added = topup(`made${String((count += 1))}`, {
        method,
        amount,
        currency,
        accountId: account.id,
        createdAt: Date.now(),
        expiresAt: Date.now() + 15 * MINUTE,
      })
      state.topups.list = [added, ...state.topups.list]
      return added
    },
    list: () => state.topups.list,
    check(topupId: string): Topup {
      state.topups.change(topupId, state.topups.checks(find(topupId)))
      return find(topupId)
    },
    async payFromWallet(topupId: string, signal: AbortSignal | undefined): Promise<Topup> {
      await confirm('Pay the invoice of a topup.', signal)
      state.topups.change(topupId, { payment: 'paying', uri: null })
      state.topups.change(topupId, await state.topups.pays(find(topupId)))
      return find(topupId)
    },
    async closePayment(topupId: string, signal: AbortSignal | undefined): Promise<Topup> {
      const { payment } = find(topupId)
      if (payment !== 'unknown' && payment !== 'held') refuse('payment/cannot-close')
      await confirm('Close the payment whose outcome isn’t known.', signal)
      state.topups.change(topupId, { payment: 'closed' })
      return find(topupId)
    },
    forget(topupId: string): Record<string, never> {
      if (!['settled', 'expired', 'invalid', 'refunded', 'replaced'].includes(find(topupId).state))
        refuse('topup/pending')
      state.topups.list = state.topups.list.filter(({ id }) => id !== topupId)
      return {}
    },
    async *watch(signal: AbortSignal | undefined): AsyncGenerator<Topup[], void> {
      const waiting: (Topup[] | null)[] = []
      let wake: () => void = () => undefined
      const take = (changed: Topup[] | null): void => {
        waiting.push(changed)
        wake()
      }
      const windows = followers.get(state.topups)
      windows?.add(take)
      signal?.addEventListener('abort', () => take(null))
      try {
        yield state.topups.list
        for (;;) {
          const next = waiting.shift()
          if (next === null) return
          if (next) yield next
          else
            await new Promise<void>((resolve) => {
              wake = resolve
            })
        }
      } finally {
        windows?.delete(take)
      }
    },
  }
}
