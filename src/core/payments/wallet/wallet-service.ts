import { z } from 'zod'
import type { Dial } from '../../../shared/dial.ts'
import { SottoError } from '../../../shared/errors.ts'
import { msg } from '../../../shared/localized-text.ts'
import { walletConnectionSchema, type WalletConnection, type WalletFunds } from '../../../shared/wallet.ts'
import type { LightningWallet } from '../index.ts'
import type { NwcConnection, NwcWallet } from '../nwc/index.ts'
import { setText, takeText, type Vault } from '../../storage/vault/index.ts'
import { lazyWallet } from './lazy-wallet.ts'

/** As kept in the vault. `connection` is a spending key; the sandbox's own is asked for anew, since its relay moves. */
const recordSchema = z.object({
  profileId: z.string(),
  view: walletConnectionSchema,
  connection: z.string().max(2048).exactOptional(),
})
type WalletRecord = z.infer<typeof recordSchema>

/** The sandbox's own wallet, which holds no real money. */
export interface SimulatedWallet {
  /** `nostr+walletconnect://…`, of this start. */
  connection(name: 'sotto' | 'service'): string
}

export interface WalletServiceOptions {
  readonly vault: Vault
  readonly profile: { readonly id: string; readonly lightningNetwork: 'bitcoin' | 'regtest' }
  /** Null where the sandbox is not running. */
  readonly simulated: (() => Promise<SimulatedWallet>) | null
  /** How its relays are reached; straight where none is given. */
  readonly dial?: Dial | undefined
  /** Whether this wallet (NIP-47 key) was asked for a payment of which nobody knows yet what became. */
  readonly inUse: (publicKey: string) => boolean
  /** Unix ms. */
  readonly now: () => number
}

/**
 * The Lightning wallet that is connected to one profile. Its secret stands in the vault and in the connection that is open;
 * what opens one is loaded when a wallet is first asked for something.
 */
export interface WalletService extends AsyncDisposable {
  view(): WalletConnection | null
  /** What pays, always the same while it is connected; null where there is none, or while it is being exchanged. */
  paying(): LightningWallet | null
  /**
   * Keeps a wallet in place of the one before, once it said what it can do and `agree` came back. Throws
   * wallet/connection-invalid, wallet/unreachable, wallet/cannot-pay, wallet/encryption, wallet/in-use, and what `agree` throws.
   */
  connect(
    connection: string,
    agree: (found: WalletConnection) => Promise<void>,
    signal?: AbortSignal,
  ): Promise<void>
  /** Throws sandbox/off, wallet/in-use. */
  connectSimulated(signal?: AbortSignal): Promise<void>
  /** Throws wallet/in-use. */
  disconnect(): Promise<void>
  /** Throws wallet/not-connected, wallet/unreachable. */
  funds(signal?: AbortSignal): Promise<WalletFunds>
  /** What a connection names, without asking it anything. Throws wallet/connection-invalid. */
  look(connection: string): Promise<{ readonly publicKey: string; readonly relays: readonly string[] }>
  /** Whether this connection spends by the key that is connected. Throws wallet/connection-invalid. */
  isConnected(connection: string): Promise<boolean>
}

/** Throws vault/… where the vault is not open. */
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
    const kept = record
    if (!kept) return Promise.reject(new SottoError('wallet/not-connected'))
    const started = (opening ??= open(kept))
    // What failed to open is tried again.
    started.catch(() => opening === started && (opening = null))
    return started
  }
  async function open(kept: WalletRecord): Promise<NwcWallet> {
    const text = kept.connection ?? (await requireSimulated()()).connection('sotto')
    const { createNwcWallet, readNwcConnection } = await import('../nwc/index.ts')
    return createNwcWallet(readNwcConnection(text), {
      now,
      canLookUp: kept.view.canLookUp,
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

  /** Nothing is paid meanwhile: a payment by the one wallet is never asked about at another. */
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
      const own = record.connection ?? (await requireSimulated()()).connection('sotto')
      return isSameConnection(connection, readNwcConnection(own))
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

/** What cannot be read, or was kept for another profile, is no wallet: it is connected anew, and pays nothing until then. */
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
