import { z } from 'zod'
import type { Dial } from '../../../shared/fetch.ts'
import { SottoError } from '../../../shared/errors.ts'
import { msg } from '../../../shared/localized-text.ts'
import { walletConnectionSchema, type WalletConnection, type WalletFunds } from '../../../shared/wallet.ts'
import type { LightningWallet } from '../index.ts'
import type { NwcConnection, NwcWallet } from '../nwc/index.ts'
import { setText, takeText, type Vault } from '../../storage/vault/index.ts'
import { lazyWallet } from './lazy-wallet.ts'

/**
 * The wallet's record in the vault. `connection` is a spending key. The sandbox's connection isn't stored,
 * because its relay's address changes.
 */
const recordSchema = z.object({
  profileId: z.string(),
  view: walletConnectionSchema,
  connection: z.string().max(2048).exactOptional(),
})
type WalletRecord = z.infer<typeof recordSchema>

/** The sandbox's own wallet, which has no real money. */
export interface SimulatedWallet {
  /** `nostr+walletconnect://…`, valid until the sandbox restarts. */
  connection(name: 'sotto' | 'service'): string
}

export interface WalletServiceOptions {
  readonly vault: Vault
  readonly profile: { readonly id: string; readonly lightningNetwork: 'bitcoin' | 'regtest' }
  /** Null if the sandbox isn't running. */
  readonly simulated: (() => Promise<SimulatedWallet>) | null
  /** Connects to its relays; directly by default. */
  readonly dial?: Dial | undefined
  /** Whether this wallet (NIP-47 key) was asked for a payment whose outcome is unknown. */
  readonly inUse: (publicKey: string) => boolean
  /** Unix ms. */
  readonly now: () => number
}

/**
 * The Lightning wallet that is connected to one profile. Its secret is in the vault and in the open
 * connection. The code for connections is loaded at the first use of a wallet.
 */
export interface WalletService extends AsyncDisposable {
  view(): WalletConnection | null
  /**
   * Returns the wallet that pays, the same one while it's connected; null if there is none, or while it's
   * being replaced.
   */
  paying(): LightningWallet | null
  /**
   * Replaces the wallet with another one, after it reported its capabilities and `agree` resolved.
   * @throws {SottoError} wallet/connection-invalid, wallet/unreachable, wallet/cannot-pay, wallet/encryption,
   * wallet/in-use, and the errors of `agree`
   */
  connect(
    connection: string,
    agree: (found: WalletConnection) => Promise<void>,
    signal?: AbortSignal,
  ): Promise<void>
  /** @throws {SottoError} sandbox/off, wallet/in-use */
  connectSimulated(signal?: AbortSignal): Promise<void>
  /** @throws {SottoError} wallet/in-use */
  disconnect(): Promise<void>
  /** @throws {SottoError} wallet/not-connected, wallet/unreachable */
  funds(signal?: AbortSignal): Promise<WalletFunds>
  /**
   * Returns the contents of a connection, without contacting it.
   * @throws {SottoError} wallet/connection-invalid
   */
  look(connection: string): Promise<{ readonly publicKey: string; readonly relays: readonly string[] }>
  /** Whether this connection spends with the connected key. @throws {SottoError} wallet/connection-invalid */
  isConnected(connection: string): Promise<boolean>
}

/** Creates the wallet of one profile. @throws {SottoError} vault/… – the vault is locked */
export async function createWalletService({
  vault,
  profile,
  simulated,
  dial,
  inUse,
  now,
}: WalletServiceOptions): Promise<WalletService> {
  const name = `wallet/${profile.id}`
  let record = await read(vault, name, profile.id)
  let opening: Promise<NwcWallet> | null = null
  let exchanging = false
  let paying: LightningWallet | null = record && lazyWallet(record.view, opened)

  function opened(): Promise<NwcWallet> {
    const current = record
    if (!current) return Promise.reject(new SottoError('wallet/not-connected'))
    const started = (opening ??= open(current))
    // A failed opening is retried at the next use.
    started.catch(() => opening === started && (opening = null))
    return started
  }
  async function open(walletRecord: WalletRecord): Promise<NwcWallet> {
    const text = walletRecord.connection ?? (await requireSimulated()()).connection('sotto')
    const { createNwcWallet, readNwcConnection } = await import('../nwc/index.ts')
    return createNwcWallet(readNwcConnection(text), {
      now,
      canLookUp: walletRecord.view.canLookUp,
      ...(dial && { dial }),
    })
  }
  function requireSimulated(): () => Promise<SimulatedWallet> {
    if (!simulated) throw new SottoError('sandbox/off')
    return simulated
  }
  function requireIdle(): void {
    if (record && inUse(record.view.publicKey)) throw new SottoError('wallet/in-use')
  }

  /** Nothing is paid during the exchange, because a payment by one wallet can't be looked up at another. */
  async function exchange(next: WalletRecord | null): Promise<void> {
    if (exchanging) throw new SottoError('wallet/in-use')
    requireIdle()
    exchanging = true
    try {
      await (next ? setText(vault, name, JSON.stringify(recordSchema.parse(next))) : vault.delete(name))
      const before = opening
      record = next
      opening = null
      paying = next && lazyWallet(next.view, opened)
      await before?.then(
        (wallet) => wallet[Symbol.asyncDispose](),
        () => undefined,
      )
    } finally {
      exchanging = false
    }
  }

  async function found(
    kind: WalletConnection['kind'],
    connection: NwcConnection,
    signal: AbortSignal | undefined,
  ): Promise<WalletConnection> {
    const { createNwcWallet } = await import('../nwc/index.ts')
    await using wallet = createNwcWallet(connection, { now, ...(dial && { dial }) })
    const { methods, canLookUp, alias, network } = await wallet.capabilities(signal)
    if (network !== undefined && network !== networks[profile.lightningNetwork])
      throw new SottoError('wallet/connection-invalid', {
        detail: msg('The wallet is on a different network ({network}) from this service.', { network }),
      })
    return {
      kind,
      publicKey: wallet.publicKey,
      relays: [...wallet.relays],
      ...(alias !== undefined && { alias }),
      methods: [...methods],
      canLookUp,
      connectedAt: now(),
    }
  }

  return {
    view: () => record?.view ?? null,
    paying: () => (exchanging ? null : paying),
    async connect(text, agree, signal) {
      requireIdle()
      const { readNwcConnection } = await import('../nwc/index.ts')
      const connection = readNwcConnection(text)
      const view = await found('nwc', connection, signal)
      await agree(view)
      await exchange({ profileId: profile.id, view, connection: connection.revealText() })
    },
    async connectSimulated(signal) {
      requireIdle()
      const wallet = await requireSimulated()()
      const { readNwcConnection } = await import('../nwc/index.ts')
      await exchange({
        profileId: profile.id,
        view: await found('sandbox', readNwcConnection(wallet.connection('sotto')), signal),
      })
    },
    disconnect: () => exchange(null),
    async funds(signal) {
      if (!record) throw new SottoError('wallet/not-connected')
      const { methods } = record.view
      const wallet = await opened()
      const [balance, budget] = await Promise.all([
        methods.includes('get_balance') ? wallet.balance(signal) : undefined,
        methods.includes('get_budget') ? wallet.budget(signal) : undefined,
      ])
      return {
        ...(balance !== undefined && { balance: balance.toString() }),
        ...(budget && {
          budget: {
            used: budget.used.toString(),
            total: budget.total.toString(),
            ...(budget.renewsAt !== undefined && { renewsAt: budget.renewsAt }),
          },
        }),
      }
    },
    async look(text) {
      const { readNwcConnection } = await import('../nwc/index.ts')
      const { publicKey, relayHosts } = readNwcConnection(text)
      return { publicKey, relays: relayHosts }
    },
    async isConnected(text) {
      const { isSameConnection, readNwcConnection } = await import('../nwc/index.ts')
      const connection = readNwcConnection(text)
      if (!record) return false
      const ownConnection = record.connection ?? (await requireSimulated()()).connection('sotto')
      return isSameConnection(connection, readNwcConnection(ownConnection))
    },
    async [Symbol.asyncDispose]() {
      exchanging = true
      await opening?.then(
        (wallet) => wallet[Symbol.asyncDispose](),
        () => undefined,
      )
    },
  }
}

const networks = { bitcoin: 'mainnet', regtest: 'regtest' } as const

/**
 * A record that is unreadable, or belongs to another profile, counts as no wallet. Nothing is paid until one
 * is connected again.
 */
async function read(vault: Vault, name: string, profileId: string): Promise<WalletRecord | null> {
  const secret = await vault.get(name)
  if (!secret) return null
  let json: unknown
  try {
    json = JSON.parse(takeText(secret))
  } catch {
    return null
  }
  const parsed = recordSchema.safeParse(json)
  return parsed.success &&
    parsed.data.profileId === profileId &&
    (parsed.data.connection !== undefined || parsed.data.view.kind === 'sandbox')
    ? parsed.data
    : null
}
