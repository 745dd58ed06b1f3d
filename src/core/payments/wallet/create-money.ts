import type { Confirm } from '../../../shared/confirm.ts'
import type { Log } from '../../../shared/log-events.ts'
import type { Profile } from '../../../shared/profile.ts'
import { createPayer, createSingleRequests, type LimitClock, type Payer } from '../index.ts'
import type { PaymentTransport, SingleRequests } from '../../gateway/relay/index.ts'
import type { DeliveredFiles, PaymentJournal, Store } from '../../storage/index.ts'
import type { Vault } from '../../storage/vault/index.ts'
import { createWalletService, type WalletService, type WalletServiceOptions } from './wallet-service.ts'
import { createExchangeRateCache, type ExchangeRateCache } from './exchange-rate-cache.ts'
import { notePaid, type StoredReceipts } from './paid-receipts.ts'
import { resumedAtIn, spendingLimits } from './spending-settings.ts'

export interface MoneyOptions {
  readonly vault: Vault
  readonly profile: Profile
  readonly store: {
    readonly payments: PaymentJournal
    readonly deliveredFiles: DeliveredFiles
    readonly settings: Store['settings']
    readonly receipts: StoredReceipts
    readonly integrity: { requireIntact(): void }
  }
  readonly transport: PaymentTransport
  readonly confirm: Confirm
  readonly simulated: WalletServiceOptions['simulated']
  readonly dial?: WalletServiceOptions['dial']
  /** Unix ms. */
  readonly now: () => number
  readonly limitClock: LimitClock
  /** Ms from an arbitrary start, independent of the wall clock. */
  readonly monotonic: () => number
  readonly log?: Log | undefined
}

/** The payer, and the wallet that it pays from. */
export interface Money extends AsyncDisposable {
  readonly payer: Payer
  readonly wallet: WalletService
  readonly single: SingleRequests
  /** The value of a satoshi, if the service stated it. */
  readonly rate: ExchangeRateCache
  /** Continues the payments that an earlier process began, if there are any. Never pays. */
  resume(): void
}

/** Creates both for one profile's records. @throws {SottoError} vault/…, store/… */
export async function createMoney({
  vault,
  profile,
  store,
  transport,
  confirm,
  simulated,
  dial,
  now,
  limitClock,
  monotonic,
  log,
}: MoneyOptions): Promise<Money> {
  const { payments: journal, deliveredFiles: files, settings, receipts } = store
  const wallet: WalletService = await createWalletService({
    vault,
    profile,
    simulated,
    dial,
    now,
    inUse: (publicKey) => payer.inUse(publicKey),
  })
  const paying = () => wallet.paying()
  const rate = createExchangeRateCache(settings, now)
  const payer: Payer = createPayer({
    journal,
    requireIntact: () => store.integrity.requireIntact(),
    files,
    wallet: paying,
    transport,
    service: {
      host: payeeOf(profile),
      lightningNetwork: profile.lightningNetwork,
      kind: profile.kind,
    },
    limits: () => spendingLimits(settings),
    confirm,
    now,
    limitClock,
    monotonic,
    resumedAt: resumedAtIn(settings),
    rate: () => rate.now()?.picoUsdPerSat,
  })
  const closing = new AbortController()
  const watching = watch(payer, closing.signal, (record) => {
    notePaid(record, receipts, profile.kind)
    log?.('payment/changed', {
      payment: record.id,
      purpose: record.purpose.kind,
      state: record.state,
      code: record.failure?.code,
    })
  })
  return {
    payer,
    wallet,
    rate,
    single: createSingleRequests({ payer, journal, files, wallet: paying, now }),
    resume() {
      if (journal.open().length > 0) payer.resume()
    },
    async [Symbol.asyncDispose]() {
      await payer[Symbol.asyncDispose]()
      closing.abort()
      await watching
      await wallet[Symbol.asyncDispose]()
    },
  }
}

/** The identity of who is paid: a host. The sandbox uses another port at each start, so its identity is a fixed text. */
export function payeeOf({ kind, baseUrl }: Pick<Profile, 'kind' | 'baseUrl'>): string {
  return kind === 'sandbox' ? 'sandbox' : new URL(baseUrl).host
}

async function watch(
  payer: Payer,
  signal: AbortSignal,
  changed: (record: ReturnType<Payer['decline']>) => void,
): Promise<void> {
  for await (const record of payer.changes(signal)) {
    try {
      changed(record)
    } catch {
      // A receipt or a log line that can't be written doesn't affect the payment.
    }
  }
}
