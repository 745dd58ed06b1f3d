import type { ErrorCode } from '../../src/shared/error-codes.ts'
import type { SpendingLimitsText } from '../../src/shared/lightning.ts'
import type { AutomaticTopupView, Wallet, WalletConnection, WalletFunds } from '../../src/shared/wallet.ts'
import { hex, usd } from './mock-data.ts'

/** Connections like those of a wallet. Their spending keys belong to no wallet. */
export const MOCK_NWC_SECRET = hex(71, 32)
export const MOCK_NWC = `nostr+walletconnect://${hex(70, 32)}?relay=wss%3A%2F%2Frelay.example&secret=${MOCK_NWC_SECRET}`
export const OTHER_NWC = `nostr+walletconnect://${hex(72, 32)}?relay=wss%3A%2F%2Frelay.example&secret=${hex(73, 32)}`

/** The wallet of the mock core. A test changes it. */
export interface MockWallet {
  view: Wallet
  funds: WalletFunds
  automaticTopup: AutomaticTopupView
  /** Delays calls. */
  before: () => Promise<void>
}

export function mockConnection(part: Partial<WalletConnection> = {}): WalletConnection {
  return {
    kind: 'nwc',
    publicKey: hex(70, 32),
    relays: ['relay.example'],
    alias: 'Pocket',
    methods: ['pay_invoice', 'lookup_invoice', 'get_balance', 'get_budget', 'make_invoice'],
    canLookUp: true,
    connectedAt: Date.now() - 3_600_000,
    ...part,
  }
}

export function mockWallet(): MockWallet {
  return {
    view: {
      connection: null,
      limits: { perPayment: '5000000', perDay: '20000000', perHostAndDay: '10000000', automaticUpTo: '0' },
      spent: { day: '0', held: '0' },
      hosts: [],
    },
    funds: {
      balance: '1250000000',
      budget: { used: '1200000', total: '50000000', renewsAt: Date.now() + 9 * 86_400_000 },
    },
    automaticTopup: { connected: false },
    before: () => Promise.resolve(),
  }
}

interface Around {
  readonly state: { wallet: MockWallet }
  readonly refuse: (code: ErrorCode) => never
  readonly confirm: (question: string, signal: AbortSignal | undefined) => Promise<void>
}

const limitNames = ['perPayment', 'perDay', 'perHostAndDay', 'automaticUpTo'] as const

/** The wallet procedures of the mock core, without a wallet. */
export function createMockWallet({ state: { wallet }, refuse, confirm }: Around) {
  const change = (part: Partial<Wallet>): Wallet => (wallet.view = { ...wallet.view, ...part })
  return {
    get: () => wallet.view,
    async connect(connection: string, signal: AbortSignal | undefined): Promise<Wallet> {
      await wallet.before()
      if (!connection.includes('secret=')) refuse('wallet/connection-invalid')
      await confirm('Connect the wallet at relay.example, which can then be paid from.', signal)
      return change({ connection: mockConnection({ connectedAt: Date.now() }) })
    },
    async connectSandbox(): Promise<Wallet> {
      await wallet.before()
      return change({
        connection: mockConnection({ kind: 'sandbox', relays: ['127.0.0.1:40777'], connectedAt: Date.now() }),
      })
    },
    disconnect: () => change({ connection: null }),
    async funds(): Promise<WalletFunds> {
      await wallet.before()
      return wallet.funds
    },
    async setLimits(limits: SpendingLimitsText, signal: AbortSignal | undefined): Promise<Wallet> {
      if (limitNames.some((name) => BigInt(limits[name]) > BigInt(wallet.view.limits[name])))
        await confirm('Raise what may be spent.', signal)
      return change({ limits })
    },
    forgetHost: (host: string) => change({ hosts: wallet.view.hosts.filter((known) => known.host !== host) }),
    resume(): Wallet {
      const { paused: _, ...view } = wallet.view
      return (wallet.view = view)
    },
    automaticTopup: () => wallet.automaticTopup,
    async connectAutomaticTopup(
      { connection, threshold, amount }: { connection: string; threshold: string; amount: string },
      signal: AbortSignal | undefined,
    ): Promise<AutomaticTopupView> {
      if (wallet.view.connection?.kind === 'nwc' && connection === MOCK_NWC) refuse('wallet/same-connection')
      await confirm('Hand a wallet connection to the service.', signal)
      return (wallet.automaticTopup = {
        connected: true,
        threshold: usd(Number(threshold)),
        amount: usd(Number(amount)),
      })
    },
    disconnectAutomaticTopup: () => (wallet.automaticTopup = { connected: false }),
  }
}
