import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import type { BodyBudget } from '../shared/body-budget.ts'
import { CORE } from '../shared/confirm.ts'
import type { Fetch } from '../shared/fetch.ts'
import { isDirect } from '../shared/direct.ts'
import { endedRequest, type Log } from '../shared/log-events.ts'
import type { Profile } from '../shared/profile.ts'
import type { Receipt } from '../shared/receipt.ts'
import type { RemoteAccess, RemoteAddress } from '../shared/remote-access.ts'
import type { TrustSet } from '../shared/trust.ts'
import type { Verdict } from '../shared/verdict.ts'
import type { CollateralMemory, ReleaseMemory } from './gateway/channel/index.ts'
import { createChannel } from './gateway/create-channel.ts'
import { createServiceEnclave } from './gateway/create-service-enclave.ts'
import {
  allowsOrigin,
  isValid,
  RequestTally,
  ResponseCache,
  startProxy,
  TokenRate,
  type AllowLists,
  type LocalKeyRecord,
  type ProxyBackend,
  type ProxyServer,
  type SharedState,
} from './gateway/proxy/index.ts'
import {
  CacheSecrets,
  createModelListing,
  createPaymentTransport,
  createRelay,
  endRequestsWith,
  SkippedEntries,
  type Budgets,
  type PaymentTransport,
  type SingleRequests,
} from './gateway/relay/index.ts'
import { startRemoteAccess } from './gateway/remote-access/index.ts'
import { readBalance } from './gateway/service/account/read/balance.ts'
import { readHistory } from './gateway/service/account/read/history.ts'
import { listDirectModels, listModels } from './gateway/service/inference/models.ts'
import { createTokenCounter } from './gateway/tokens/token-thread.ts'
import { accessWithoutAccount, createAccounts } from './payments/accounts/index.ts'
import { releaseMemoryIn } from './release-memory-in.ts'
import { createStore, type Store } from './storage/index.ts'
import { createSpool } from './storage/spool.ts'
import { unlockVault } from './storage/vault/index.ts'

const TIMEOUTS = { firstByteMs: 10 * 60_000, idleMs: 90_000 }
/** How long requests may take to end when the proxy stops. */
const ENDING_MS = 1_500

/** A local key as replicas know it. */
export interface SharedLocalKey extends LocalKeyRecord {
  readonly name: string
}

/** Everything that replicas share: keys, amounts, rates and receipts. */
export interface SharedLedger {
  /** @throws {SottoError} database/unreachable – the keys aren't current */
  readonly findKey: (hash: string) => SharedLocalKey | null
  readonly keys: () => readonly SharedLocalKey[]
  readonly budgets: Budgets
  readonly putReceipt: (receipt: Receipt) => void
  /** The remaining budgets of valid keys, as they were last read. */
  readonly budgetsLeft: ProxyBackend['budgetsLeft']
  readonly state: SharedState
}

/** Records about enclaves and payments that replicas share. Without them, they belong to this process. */
export interface TeamRecords {
  readonly settings: Store['settings']
  readonly releases: ReleaseMemory
  readonly collateral: CollateralMemory
  readonly onSettingsChange: (listener: () => void) => void
  /** Creates the payer of requests without an account. */
  readonly createPayer: (transport: PaymentTransport) => SingleRequests
}

export interface ProxyCoreOptions {
  readonly profile: Profile
  readonly fetch: Fetch
  /** Unix ms. */
  readonly now: () => number
  readonly version: string
  readonly trust: () => Promise<TrustSet>
  /** Credentials of the service's account. Absent for the sandbox, which creates an account. */
  readonly account?: { readonly apiKey: string; readonly creditId?: string } | undefined
  readonly shared: SharedLedger
  readonly team?: TeamRecords | undefined
  /** A private folder for files of requests in progress. */
  readonly folder: string
  readonly proxy: {
    readonly port: number
    readonly mayMove: boolean
    readonly allow: AllowLists
    readonly bodies: BodyBudget
    /** The command line names it, which is the confirmation: there's no window that could ask. */
    readonly remoteAddress?: RemoteAddress | undefined
  }
  readonly log?: Log | undefined
}

/** The proxy without a window, chats, jobs and wallet. */
export interface ProxyCore extends AsyncDisposable {
  readonly proxy: ProxyServer
  /** The address beyond loopback; null without one. */
  readonly remoteAccess: RemoteAccess | null
  /** Prepares for the first private request. Never throws. */
  prepare(): Promise<void>
}

/**
 * Creates the proxy of one replica from the same parts as the core, around a ledger that replicas share. Verdicts,
 * HPKE contexts, cached responses and prompt-cache secrets belong to this process, and end with it.
 * @throws {SottoError} proxy/port-taken, remote-access/…, service/… – the sandbox couldn't create its account
 */
export async function createProxyCore(options: ProxyCoreOptions): Promise<ProxyCore> {
  const { profile, fetch, now, shared, team, log } = options
  const monotonic = (): number => performance.now()
  const store = createStore({ folder: null, key: randomBytes(32), now })
  const vault = await unlockVault({ mode: 'memory', folder: options.folder })
  const access = await accessOf(options, vault)
  const service = { fetch, access, now }
  const skipped = new SkippedEntries()
  const models = createModelListing(
    async () => skipped.note('models', await (isDirect(profile) ? listDirectModels : listModels)(service)),
    now,
  )
  const transport = createPaymentTransport(service, profile.kind)
  const records = team ? { ...store, settings: team.settings, collateral: team.collateral } : store
  const parts = { profile, store: records, fetch, now, trust: options.trust, timeouts: TIMEOUTS }
  const onVerified = ({ validUntil, trust }: Verdict): void =>
    log?.('attestation/verified', { validUntil, trust })
  const channel = createChannel({
    ...parts,
    releases: team ? noting(team.releases, onVerified) : releaseMemoryIn(store, onVerified),
    baseUrl: access().baseUrl,
  })
  const serviceEnclave = createServiceEnclave(parts)
  // A verdict in force was verified under the earlier settings.
  team?.onSettingsChange(() => {
    channel?.invalidate()
    serviceEnclave?.channel.invalidate()
  })
  const tally = new RequestTally()
  const cacheSecrets = new CacheSecrets({ root: randomBytes(32), profileId: profile.id, now })
  const ended = new AbortController()
  const relay = endRequestsWith(
    createRelay({
      fetch,
      now,
      profile,
      models,
      channel,
      serviceEnclave,
      cacheSecrets,
      access,
      receipts: {
        begin: () => tally.begin(),
        put(receipt) {
          tally.note(receipt)
          shared.putReceipt(receipt)
          log?.('request/ended', endedRequest(receipt))
        },
        askedModel: () => undefined,
      },
      budgets: shared.budgets,
      payer: team && !isDirect(profile) ? team.createPayer(transport) : null,
      timeouts: TIMEOUTS,
      skipped,
    }),
    ended.signal,
  )
  const responses = new ResponseCache({ now, monotonic })
  const tokenCounter = createTokenCounter()
  const liveKeys = (): SharedLocalKey[] => shared.keys().filter((key) => isValid(key, now()))
  const backend: ProxyBackend = {
    relay,
    responses,
    spool: createSpool(join(options.folder, 'spool')),
    fetchOwn: (address, signal) => transport.fetchOwn(address, AbortSignal.any([signal, ended.signal])),
    findKey: shared.findKey,
    keyAllows: (origin) => liveKeys().some((key) => allowsOrigin(key, origin)),
    // Only the reservation in the database decides.
    requireMoneyLeft: () => undefined,
    tokens: new TokenRate(monotonic),
    tokenCounter,
    limitTime: now,
    budgetsLeft: shared.budgetsLeft,
    liveKeys,
    lastBalance: () => null,
    account: {
      balance: (signal) => readBalance(service, { signal }),
      history: (input, signal) => readHistory(service, input, { signal }),
    },
    shared: shared.state,
  }

  async function end(): Promise<void> {
    await tally.settled(ENDING_MS)
    ended.abort()
    await tally.settled(ENDING_MS)
    tokenCounter.close()
    channel?.close()
    serviceEnclave?.channel.close()
    cacheSecrets[Symbol.dispose]()
    responses[Symbol.dispose]()
    store.close()
    await vault.close()
  }
  let started: ProxyServer | undefined
  let remoteAccess: RemoteAccess | null = null
  try {
    const proxy = await startProxy({
      backend: () => backend,
      service: profile.kind,
      version: options.version,
      tally,
      now,
      log,
      ...options.proxy,
    })
    started = proxy
    const { remoteAddress, allow } = options.proxy
    if (remoteAddress)
      remoteAccess = await startRemoteAccess({
        remoteAddress,
        hosts: allow.hosts,
        place: vault,
        settings: store.settings,
        confirm: { ask: ({ from }) => Promise.resolve(from === CORE) },
        now,
        open: (at) => proxy.listenAt(at),
      })
    return {
      proxy,
      remoteAccess,
      prepare: async () => channel?.prepare(),
      async [Symbol.asyncDispose]() {
        await proxy.close()
        await end()
      },
    }
  } catch (thrown) {
    await started?.close()
    await end()
    throw thrown
  }
}

/** @param onVerified called with each good verdict that was recorded */
function noting(releases: ReleaseMemory, onVerified: (verdict: Verdict) => void): ReleaseMemory {
  return {
    ...releases,
    async record(verdict, proof) {
      await releases.record(verdict, proof)
      onVerified(verdict)
    },
  }
}

/** Returns the account's access. The sandbox needs no account of a person, so it creates one. */
async function accessOf(
  { profile, fetch, now, account }: ProxyCoreOptions,
  vault: Parameters<typeof createAccounts>[0]['vault'],
): Promise<() => ReturnType<typeof accessWithoutAccount>> {
  if (profile.kind === 'sandbox' && !account) {
    const accounts = await createAccounts({ vault, fetch, profile, now })
    await accounts.create()
    return () => accounts.access()
  }
  const access = { ...accessWithoutAccount(profile), ...account }
  return () => access
}
