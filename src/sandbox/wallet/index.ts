import type { SandboxWalletFault } from '../../shared/sandbox-wallet-faults.ts'
import type { LedgerDatabase } from '../ledger/database.ts'
import { publicKeyOf } from '../nwc/event.ts'
import type { RandomBytes } from '../random.ts'
import type { WalletPayment } from './payments.ts'
import { Purse, WalletFaults, type Funds, type Spender } from './purse.ts'
import { LocalRelay } from './relay.ts'
import { NwcWalletService } from './wallet-service.ts'

export type { WalletPayment } from './payments.ts'
export type { Funds } from './purse.ts'

/** `sotto`: for the app that pays with it. `service`: to give to the service, for automatic top-ups. */
export type WalletConnectionName = 'sotto' | 'service'

const sat = 1000n
const spenders: Readonly<Record<WalletConnectionName, Spender>> = {
  sotto: { name: 'sotto', budgetMsat: 400_000n * sat },
  service: { name: 'service', budgetMsat: 100_000n * sat },
}

interface WalletParts {
  readonly database: LedgerDatabase
  readonly funds: Funds
  /** A secret that is stored with the ledger: 32 bytes below the group's order. */
  readonly secret: (name: string) => Uint8Array
  readonly random: RandomBytes
  readonly now: () => number
}

/** The sandbox's wallet, over a relay of its own (NIP-47). */
export interface SandboxWallet {
  /** x-only, hexadecimal. */
  readonly publicKey: string
  /** `nostr+walletconnect://…`, of this start: the relay's port is another each time. */
  connection(name: WalletConnectionName): string
  /** msat. */
  balance(): bigint
  payments(): readonly WalletPayment[]
  fault(): SandboxWalletFault | null
  setFault(fault: SandboxWalletFault | null): Promise<void>
  close(): Promise<void>
}

/** Opens the relay, and the wallet behind it. */
export async function startWallet({
  database,
  funds,
  secret,
  random,
  now,
}: WalletParts): Promise<SandboxWallet> {
  const faults = new WalletFaults()
  const purse = new Purse(database, funds, faults, now)
  const relay = new LocalRelay(now)
  const clientKeys = { sotto: secret('wallet client sotto'), service: secret('wallet client service') }
  const service = new NwcWalletService(
    {
      walletKey: secret('wallet'),
      spenders: new Map([
        [publicKeyOf(clientKeys.sotto), spenders.sotto],
        [publicKeyOf(clientKeys.service), spenders.service],
      ]),
    },
    purse,
    random,
    now,
  )
  const start = async () => {
    await relay.open()
    await service.connect(relay.url)
  }
  const stop = async () => {
    service.disconnect()
    await relay.shut()
  }
  await start()
  return {
    publicKey: service.publicKey,
    connection: (name) =>
      `nostr+walletconnect://${service.publicKey}?relay=${encodeURIComponent(relay.url)}&secret=${Buffer.from(clientKeys[name]).toString('hex')}`,
    balance: () => purse.balance(),
    payments: () => purse.payments.list(),
    fault: () => faults.now,
    setFault: async (fault) => {
      const before = faults.now
      if (fault === 'relay-gone' && before !== fault) await stop()
      // A reply that waits for this goes out by the relay that is back.
      if (before === 'relay-gone' && fault !== before) await start()
      faults.set(fault)
    },
    close: async () => {
      faults.set(null)
      service.disconnect()
      await relay.close()
    },
  }
}
