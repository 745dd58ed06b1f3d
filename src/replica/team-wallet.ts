import {
  createWalletService,
  payeeOf,
  readSpendingLimits,
  resumedAtIn,
  writeSpendingLimits,
} from '../core/payments/wallet/index.ts'
import { isUncertain, isUndelivered } from '../core/payments/index.ts'
import type { Dial } from '../shared/fetch.ts'
import type { SpendingLimitsText } from '../shared/lightning.ts'
import type { Profile } from '../shared/profile.ts'
import type { WalletConnection } from '../shared/wallet.ts'
import type { DataKey } from './data-key.ts'
import type { Database } from './database.ts'
import { takePayerLock } from './payer-lock.ts'
import { createSharedJournal, JournalCache } from './payment-journal.ts'
import type { TeamVault } from './team-records.ts'

const WAIT_MS = 30_000

export interface ConnectWalletOptions {
  readonly database: Database
  readonly team: TeamVault
  readonly profile: Pick<Profile, 'id' | 'kind' | 'baseUrl' | 'lightningNetwork'>
  /** `nostr+walletconnect://…`, a spending key. */
  readonly connection: string
  /** Replaces these limits, in msat. The others remain. */
  readonly limits: Partial<SpendingLimitsText>
  readonly dial?: Dial
}

/**
 * Connects the wallet that pays for the team, sets its limits, and permits payments to the service without a person.
 * It needs the payer's lock, so that no replica pays at the same time.
 * @throws {SottoError} wallet/…, payment/payer-busy, database/…
 */
export async function connectTeamWallet({
  database,
  team: { vault, key },
  profile,
  connection,
  limits,
  dial,
}: ConnectWalletOptions): Promise<{
  readonly wallet: WalletConnection
  readonly limits: SpendingLimitsText
}> {
  await using lock = await takePayerLock(database, {
    waitMs: WAIT_MS,
    signal: new AbortController().signal,
  })
  const journal = await createSharedJournal({ lock, cache: new JournalCache(key), now: Date.now })
  await using service = await createWalletService({
    vault,
    profile,
    simulated: null,
    dial,
    inUse: (publicKey) =>
      journal.open().some((record) => record.wallet === publicKey && isUncertain(record.state)),
    now: Date.now,
  })
  // Only once the wallet has answered: until then, the limits apply to the wallet that it replaces.
  await service.connect(connection, async () => {
    writeSpendingLimits(journal.settings, { ...readSpendingLimits(journal.settings), ...limits })
    await journal.durable()
  })
  journal.allowHost(payeeOf(profile))
  await journal.close()
  const wallet = service.view()
  if (!wallet) throw new TypeError('A connected wallet has a view.')
  return { wallet, limits: readSpendingLimits(journal.settings) }
}

/**
 * Resumes payments that replicas paused after three undelivered ones. It needs the payer's lock, as `connectTeamWallet`
 * does. The time of the newest of them counts, because the clock of this computer may differ from those of the replicas.
 * A replica whose clock is behind that time pays again when it has passed.
 * @returns the number of undelivered payments, which remain in the journal.
 * @throws {SottoError} payment/payer-busy, database/…
 */
export async function resumeTeamPayments(database: Database, key: DataKey): Promise<number> {
  await using lock = await takePayerLock(database, {
    waitMs: WAIT_MS,
    signal: new AbortController().signal,
  })
  const journal = await createSharedJournal({ lock, cache: new JournalCache(key), now: Date.now })
  const undelivered = journal.open().filter(isUndelivered)
  const newest = Math.max(0, ...undelivered.map(({ paidAt = 0 }) => paidAt))
  if (newest > 0) resumedAtIn(journal.settings).write(newest)
  await journal.close()
  return undelivered.length
}
