import { createLimitClock, limitMarksIn } from '../core/payments/index.ts'
import { createMoney } from '../core/payments/wallet/index.ts'
import type { TeamRecords } from '../core/proxy-core.ts'
import { asksBeforeNew } from '../core/gateway/privacy-choices.ts'
import { secretOrNew, setText, takeText } from '../core/storage/vault/index.ts'
import type { Confirm } from '../shared/confirm.ts'
import type { Dial } from '../shared/fetch.ts'
import type { Log } from '../shared/log-events.ts'
import type { Profile } from '../shared/profile.ts'
import { randomBytes } from 'node:crypto'
import { DataKey } from './data-key.ts'
import type { Database } from './database.ts'
import { ReplicaPayer } from './replica-payer.ts'
import { SharedTrust } from './shared-trust.ts'
import { unlockSharedVault, type SharedVault } from './shared-vault.ts'

const DATA_KEY = 'store-key'
/** Separate for each service, because keys of one mean nothing to another. */
const API_KEY = 'api-key/'

/** Replicas have no window, so a payment that needs a person is refused. */
const nobodyConfirms: Confirm = {
  ask: () => Promise.resolve(false),
  pending: () => null,
  answer: () => ({ accepted: false }),
}

/** The vault of a database, and the key that seals its other records. */
export interface TeamVault {
  readonly vault: SharedVault
  readonly key: DataKey
}

/**
 * Unlocks the vault, and creates it with the first replica or command.
 * @param master 32 bytes, which are zeroed
 * @throws {SottoError} vault/wrong-key, database/…
 */
export async function unlockTeamVault(database: Database, master: Uint8Array): Promise<TeamVault> {
  const vault = await unlockSharedVault(database, master)
  const bytes = await secretOrNew(vault, DATA_KEY, () => randomBytes(32))
  try {
    return { vault, key: new DataKey(bytes) }
  } finally {
    bytes.fill(0)
  }
}

/** Saves the service's API key for all replicas, which read it when they start. @throws {SottoError} database/… */
export function saveTeamApiKey({ vault }: TeamVault, profileId: string, apiKey: string): Promise<void> {
  return setText(vault, `${API_KEY}${profileId}`, apiKey)
}

/** @returns null if none was saved. @throws {SottoError} database/…, vault/wrong-key */
export async function readTeamApiKey({ vault }: TeamVault, profileId: string): Promise<string | null> {
  const secret = await vault.get(`${API_KEY}${profileId}`)
  return secret && takeText(secret)
}

export interface TeamOptions {
  readonly database: Database
  readonly team: TeamVault
  readonly profile: Profile
  readonly dial?: Dial
  /** Unix ms. */
  readonly now: () => number
  readonly log?: Log | undefined
}

/**
 * Creates the records that replicas share in addition to their ledger: accepted releases and pins, and the payer of
 * requests without an account.
 * @throws {SottoError} database/…
 */
export async function createTeamRecords(options: TeamOptions): Promise<TeamRecords & AsyncDisposable> {
  const { database, team, profile, now, log, dial } = options
  const { vault, key } = team
  const monotonic = (): number => performance.now()
  const trust = await SharedTrust.create({ database, key, asksBeforeNew })
  const payers: ReplicaPayer[] = []
  return {
    settings: trust.settings,
    releases: trust.releases,
    collateral: trust.collateral,
    onSettingsChange: (listener) => trust.onSettingsChange(listener),
    createPayer(transport) {
      const payer = new ReplicaPayer({
        database,
        key,
        now,
        hasWallet: async () => {
          const wallet = await vault.get(`wallet/${profile.id}`)
          wallet?.fill(0)
          return wallet !== null
        },
        createPayer: ({ payments, deliveredFiles }) =>
          createMoney({
            vault,
            profile,
            store: {
              payments,
              deliveredFiles,
              settings: payments.settings,
              // The request that buys writes its own receipt into the shared ledger.
              receipts: { get: () => null, put: () => undefined },
              integrity: { requireIntact: () => undefined },
            },
            transport,
            confirm: nobodyConfirms,
            simulated: null,
            dial,
            now,
            limitClock: createLimitClock({ now, monotonic, marks: limitMarksIn(payments.settings) }),
            monotonic,
            log,
          }),
      })
      payers.push(payer)
      return payer
    },
    async [Symbol.asyncDispose]() {
      for (const payer of payers) await payer[Symbol.asyncDispose]()
      trust[Symbol.dispose]()
      await vault.close()
    },
  }
}
