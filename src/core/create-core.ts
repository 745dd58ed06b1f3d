import { randomBytes, randomFillSync } from 'node:crypto'
import { join } from 'node:path'
import type { BodyBudget } from '../shared/body-budget.ts'
import type { Confirm } from '../shared/confirm.ts'
import type { Contact } from '../shared/contact.ts'
import type { DesktopControls } from '../shared/desktop-settings.ts'
import type { Dial } from '../shared/dial.ts'
import { isDirect } from '../shared/direct.ts'
import { SottoError } from '../shared/errors.ts'
import type { Fetch } from '../shared/fetch.ts'
import type { KeyLimits } from '../shared/key-limits.ts'
import type { LockReason } from '../shared/lock.ts'
import { endedRequest, type Log } from '../shared/log-events.ts'
import type { Profile, ServiceChoice } from '../shared/profile.ts'
import type { RemoteAccess, RemoteAddress } from '../shared/remote-access.ts'
import type { Receipt } from '../shared/receipt.ts'
import type { Notice } from '../shared/status.ts'
import type { TrustSet } from '../shared/trust.ts'
import { createAccounts, serviceKeysOf } from './payments/accounts/index.ts'
import {
  adoptFirstKey,
  DoubtChecks,
  historyPlaceOf,
  KeyActivity,
  createConversations,
  createLocalKeys,
  createLowBalance,
  createTopups,
  type SelfTest,
  type Happenings,
  type LocalKeys,
  type LowBalance,
  type UnlockedCore,
  type SandboxControls,
  type ToolSecrets,
} from './rpc/index.ts'
import { asksBeforeNew } from './gateway/privacy-choices.ts'
import type { ReleaseMemory } from './gateway/channel/index.ts'
import type { Timeouts } from './gateway/request-timeout.ts'
import { AutoLock } from './auto-lock.ts'
import type { WindowSessions } from './gateway/callers/index.ts'
import { createConsents } from './conversations/consents/index.ts'
import { strip } from './conversations/image-metadata/index.ts'
import { createLibrary } from './conversations/library/index.ts'
import { createLimitClock, limitMarksIn, createKeyBudgets } from './payments/index.ts'
import {
  allowsOrigin,
  hashOfLocalKey,
  isValid,
  listBudgetsLeft,
  newLocalKey,
  ResponseCache,
  TokenRate,
  type AllowLists,
  type ProxyBackend,
  type RequestTally,
} from './gateway/proxy/index.ts'
import {
  CacheSecrets,
  Conversions,
  createPaymentTransport,
  createModelListing,
  createRelay,
  endRequestsWith,
  SkippedEntries,
  type ReceiptSink,
} from './gateway/relay/index.ts'
import { readBalance } from './gateway/service/account/read/balance.ts'
import { readHistory } from './gateway/service/account/read/history.ts'
import { listDirectModels, listModels } from './gateway/service/inference/models.ts'
import { createStore, type Store } from './storage/index.ts'
import { createSpool } from './storage/spool.ts'
import { freshEvidenceHost, createChannel } from './gateway/create-channel.ts'
import { createServiceEnclave } from './gateway/create-service-enclave.ts'
import { createJobs, type StudioService } from './jobs/index.ts'
import { secretOrNew, setText, takeText, type OwnedVault, type Vault } from './storage/vault/index.ts'
import { createCachedCounter } from './gateway/tokens/cached-counter.ts'
import { createTokenCounter, type TokenCounter } from './gateway/tokens/token-thread.ts'
import { createMoney, type Money } from './payments/wallet/index.ts'

const LOCAL_KEY = 'local-key'
const STORE_KEY = 'store-key'
const CACHE_SECRET = 'cache-secret'
/** For each profile, because each has its own local keys. */
const TOOL_KEY = 'tool-key/'
/** The vault remembers the revision of each profile's sealed root: a database without one, or with an older one, is reported. */
const ROOT_REVISION = 'store-root/'
/** What a key may do that nobody knows. */
const NOTHING: KeyLimits = { budget: { picoUsd: 0n, period: 'total' } }
const TIMEOUTS: Timeouts = { firstByteMs: 10 * 60_000, idleMs: 90_000 }

export interface CoreOptions {
  // The four seams.
  readonly vault: OwnedVault
  readonly fetch: Fetch
  /** The same for WebSockets, where they cannot go straight: to the relays of a wallet. */
  readonly dial?: Dial
  /** Unix ms. */
  readonly now: () => number
  /** Milliseconds from an arbitrary start; doesn't follow the wall clock. Absent: the process's own. */
  readonly monotonic?: () => number
  readonly confirm: Confirm

  /** The data folder; this profile's own data stands below it. */
  readonly folder: string
  readonly version: string
  readonly profile: Profile
  readonly choices: readonly ServiceChoice[]
  /** The trust set that belongs to the profile; the sandbox's settles when its roots are minted. */
  readonly trust: { readonly name: TrustSet['name']; readonly roots: () => Promise<TrustSet> }
  readonly sandbox: SandboxControls | null
  /** The browser tabs that may call; they outlive a change of service. Absent if no tab can. */
  readonly windows?: WindowSessions
  /** The attack drill, which the host composes of a core and a sandbox of its own. */
  readonly selfTest?: SelfTest
  /** Absent without one. */
  readonly desktop?: DesktopControls
  readonly proxy: {
    readonly port: number
    readonly mayMove: boolean
    readonly allow?: AllowLists
    /** Shared with the window's server; a budget of its own if it is absent. */
    readonly bodies?: BodyBudget
    /** Also beyond loopback; opened once the vault is, and once it is confirmed. */
    readonly reach?: RemoteAddress
  }
  /** Whether the balance is looked at a moment after a request, for the notice that it is low. It is, where nothing is said. */
  readonly watchesBalance?: boolean
  /** Absent: nothing is logged. */
  readonly log?: Log | undefined
  /** Hosts beside the service's and the wallet's that this Sotto connects to, for the list that the window shows. */
  readonly contacts?: readonly Pick<Contact, 'host' | 'use'>[]
  readonly onRemoteAccess?: (opened: RemoteAccess) => void
  /** Something may stand otherwise than before; told often, and to be taken lightly. */
  readonly onChange?: () => void
  /** Lasting truths about this start, such as a memory vault. */
  readonly notices: () => readonly Notice[]
  /** The user chose another service: once that is kept, the owner of this core ends it and makes another. Throws store/unwritable; this one then goes on. */
  readonly onChoose: (profileId: string) => Promise<void>
  /**
   * Locks the vault and replaces this core by a locked one. Absent where nothing may lock it without being asked: a command that owns the
   * data folder only while it runs.
   * @returns false if the vault was not open
   * @throws {SottoError} vault/cannot-lock
   */
  readonly onLock?: (reason: LockReason) => Promise<boolean>
  /** Why the vault is locked; null if it has not been open since the start. */
  readonly lockedBy?: () => LockReason | null
  readonly timeouts?: Timeouts
}

export interface UnlockResult extends UnlockedCore {
  /** Made once: every request of a tool asks for it. */
  readonly behindProxy: ProxyBackend
  readonly money: Money
  readonly autoLock: AutoLock
  readonly cacheSecrets: CacheSecrets
  readonly skipped: SkippedEntries
  /** Null for a direct profile. */
  readonly doubts: DoubtChecks | null
  /** The enclave's own server, if it's asked for fresh evidence. */
  freshEvidenceHost(): string | undefined
  /** Of temporary conversations. */
  readonly temporary: Store
  readonly tokenCounter: TokenCounter
  /** Nothing of the store is on disk; it moves there when the vault gets a lasting place. */
  inMemory: boolean
  /** Has the vault remember the revision of the store's sealed root. Nothing while the store is in memory. Throws vault/…, store/unwritable. */
  rememberRoot(): Promise<void>
}

/** Where this profile's own data stands: two services share nothing. */
export function profileFolder({ folder, profile }: CoreOptions): string {
  return join(folder, 'profiles', profile.id)
}

export interface UnlockedCoreParts {
  readonly tally: RequestTally
  readonly happenings: Happenings
  readonly endRequests: (keyId: string) => void
  /** Ends every request to a model; they fail with its reason. */
  readonly ended: AbortSignal
}

/** What stands behind an open vault, joined. Throws what the store and the vault refuse. */
export async function createUnlockedCore(
  options: CoreOptions,
  { tally, happenings, endRequests, ended }: UnlockedCoreParts,
): Promise<UnlockResult> {
  const { vault, fetch, now, monotonic = () => performance.now(), profile, onLock } = options
  const responses = new ResponseCache({ now, monotonic })
  const [key, remembered, accounts, localKey] = await Promise.all([
    storeKey(vault),
    rootRevision(vault, profile.id),
    // Another account's tools must not read what this one's were answered.
    createAccounts({ vault, fetch, profile, now, onSwitch: () => responses.clear() }),
    secretOrNew(vault, LOCAL_KEY, () => Buffer.from(newLocalKey().secret)).then(takeText),
  ])
  // Nothing is asked of whoever tries the sandbox, so it gives itself an account, unless it was told to be without one.
  if (profile.kind === 'sandbox' && accounts.list().length === 0) await accounts.create()
  const inMemory = vault.kind === 'memory'
  let store: Store
  try {
    store = createStore({
      folder: inMemory ? null : profileFolder(options),
      key,
      now,
      leastRevision: remembered,
    })
  } finally {
    key.fill(0)
  }
  adoptFirstKey(store.localKeys, hashOfLocalKey(localKey))
  const activity = new KeyActivity()
  const limitClock = createLimitClock({ now, monotonic, marks: limitMarksIn(store.settings) })
  const budgets = createKeyBudgets({
    journal: store.spending,
    limitsOf: (keyId) => store.localKeys.get(keyId)?.limits ?? NOTHING,
    increaseOf: (keyId) => store.localKeys.get(keyId)?.increase,
    clock: limitClock,
    onChange: (keyId) => activity.changed(keyId),
    onAlert: (keyId, percent) => {
      options.log?.('local-key/budget-alert', { localKey: keyId, percent })
      options.onChange?.()
    },
  })
  const tokens = new TokenRate(monotonic)
  const keys = createLocalKeys({
    store,
    money: (keyId) => budgets.money(keyId),
    activity,
    now,
    limitClock,
    newSecret: newLocalKey,
    hashOf: hashOfLocalKey,
    toolSecrets: toolSecretsIn(vault, profile.id),
    firstSecret: localKey,
    keepFirst: (secret) => setText(vault, LOCAL_KEY, secret),
    endRequests: (keyId) => {
      responses.dropKey(keyId)
      endRequests(keyId)
    },
  })
  const timeouts = options.timeouts ?? TIMEOUTS
  const skipped = new SkippedEntries()
  const models = createModelListing(
    async () =>
      skipped.note(
        'models',
        await (isDirect(profile) ? listDirectModels : listModels)({
          fetch,
          access: () => accounts.access(),
          now,
        }),
      ),
    now,
  )
  const noteReceipt = (receipt: Receipt): void => {
    happenings.noteReceipt(receipt)
    options.onChange?.()
  }
  const channel = createChannel({
    profile,
    store,
    fetch,
    now,
    timeouts,
    trust: options.trust.roots,
    releases: releaseMemory(store, options.log, happenings),
    baseUrl: accounts.access().baseUrl,
  })
  const serviceEnclave = createServiceEnclave({
    profile,
    store,
    fetch,
    now,
    trust: options.trust.roots,
    timeouts,
  })
  const service = { fetch, access: () => accounts.access(), now }
  const { sandbox } = options
  const carrier = createPaymentTransport(service, profile.kind)
  const money = await createMoney({
    vault,
    profile,
    store,
    carrier,
    confirm: options.confirm,
    now,
    limitClock,
    monotonic,
    log: options.log,
    simulated: sandbox && (() => sandbox.wallet()),
    dial: options.dial,
  })
  // An enclave without a service has no history.
  const doubts = isDirect(profile)
    ? null
    : new DoubtChecks({
        receipts: store.receipts,
        place: () => historyPlaceOf({ store, accounts, budgets, fetch, now }),
        now,
      })
  const lowBalance = createLowBalance({ settings: store.settings, accounts, now })
  const topups = createTopups({
    store,
    accounts,
    payer: money.payer,
    fetch,
    now,
    service: profile,
    skipped,
    rate: money.rate,
    onSettled: () => void lowBalance.look(),
  })
  const cacheSecrets = new CacheSecrets({
    root: await secretOrNew(vault, CACHE_SECRET, newKey),
    profileId: profile.id,
    now,
  })
  const relay = endRequestsWith(
    createRelay({
      fetch,
      now,
      profile,
      models,
      channel,
      serviceEnclave,
      cacheSecrets,
      access: () => accounts.access(),
      receipts: tallied(
        store,
        tally,
        tokens,
        noteReceipt,
        keys,
        options.watchesBalance === false || isDirect(profile) ? null : lowBalance,
        doubts,
        options.log,
      ),
      budgets,
      payer: isDirect(profile) ? null : money.single,
      timeouts,
      skipped,
    }),
    ended,
  )
  const spool = createSpool(join(options.folder, 'spool'))
  const forStudio: StudioService = {
    ...relay,
    revision: profile.revision,
    fetchOwn: (address, signal) => carrier.fetchOwn(address, signal),
    accountId: () => accounts.activeId(),
    history: (days, page, signal) =>
      readHistory(service, { ...days, allKeys: true, page, pageSize: 100 }, { signal }),
  }
  const studio = createJobs({
    store,
    spool,
    service: forStudio,
    payer: money.payer,
    strip: (bytes) => strip(bytes).bytes,
    now,
  })
  studio.jobs.onChange(({ job }) => {
    if (!job) return
    happenings.noteJob(job, now())
    options.onChange?.()
  })
  const tokenCounter = createTokenCounter()
  const behindProxy: ProxyBackend = {
    relay,
    responses,
    spool,
    fetchOwn: (address, signal) => carrier.fetchOwn(address, AbortSignal.any([signal, ended])),
    findKey: (hash) => {
      // A revocation, a limit or what was spent may be among the rows that are missing.
      store.integrity.requireIntact()
      return store.localKeys.findByHash(hash)
    },
    keyAllows: (origin) =>
      store.localKeys.list().some((key) => allowsOrigin(key, origin) && isValid(key, limitClock.read().at)),
    requireMoneyLeft: (keyId) => budgets.requireLeft(keyId),
    tokens,
    tokenCounter,
    limitTime: () => limitClock.read().at,
    budgetsLeft: () =>
      listBudgetsLeft(store.localKeys.list(), (keyId) => budgets.money(keyId), limitClock.read().at),
    account: {
      balance: (signal) => readBalance(service, { signal }),
      history: (input, signal) => readHistory(service, input, { signal }),
    },
  }
  // Temporary conversations: under a key that nothing keeps, in memory, which no passphrase ever moves to the disk.
  const temporary = createStore({ folder: null, key: randomBytes(32), now })
  const conversations = createConversations(store, temporary)
  const autoLock = new AutoLock({
    settings: store.settings,
    now,
    monotonic,
    requests: () => tally,
    lock: onLock ? (reason) => void onLock(reason).catch(() => undefined) : null,
  })
  const conversions = new Conversions({
    convert: (request) => relay.convert(request),
    accountId: () => accounts.activeId(),
  })
  const opened: UnlockResult = {
    store,
    conversions,
    temporary,
    autoLock,
    conversations,
    consents: createConsents(now),
    library: createLibrary(store, now),
    studio,
    relay,
    keys,
    accounts,
    serviceKeys: serviceKeysOf({ fetch, now, accounts }),
    payer: money.payer,
    budgets,
    wallet: money.wallet,
    rate: money.rate,
    topups,
    lowBalance,
    doubts,
    skipped,
    money,
    behindProxy,
    cacheSecrets,
    inMemory,
    tokenCounter,
    // Its own cache: how long a count takes must not show tools what a chat contains.
    chatTokens: createCachedCounter(tokenCounter),
    freshEvidenceHost: () => freshEvidenceHost(profile, store),
    renewCacheSecret: async () => {
      const root = newKey()
      await vault.set(CACHE_SECRET, root)
      cacheSecrets.renew(root)
    },
    rememberRoot: async () => {
      if (opened.inMemory) return
      const revision = store.integrity.checkpoint()
      if (revision !== null && revision !== (await rootRevision(vault, profile.id)))
        await vault.set(ROOT_REVISION + profile.id, Buffer.from(String(revision)))
    },
  }
  // From now on: a database that is deleted, or replaced with one from before the root, is noticed at the next start.
  if (remembered === undefined) await opened.rememberRoot()
  return opened
}

function toolSecretsIn(vault: Vault, profileId: string): ToolSecrets {
  const place = (name: string): string => `${TOOL_KEY}${profileId}/${name}`
  return {
    async get(name) {
      const secret = await vault.get(place(name))
      return secret && takeText(secret)
    },
    set: (name, secret) => setText(vault, place(name), secret),
  }
}

/** Throws vault/…. */
async function rootRevision(vault: Vault, profileId: string): Promise<number | undefined> {
  const kept = await vault.get(ROOT_REVISION + profileId)
  if (!kept) return undefined
  const revision = Number(Buffer.from(kept).toString('utf8'))
  if (!Number.isSafeInteger(revision)) throw new SottoError('vault/damaged')
  return revision
}

/** Receipts are kept, counted for whoever measures this proxy, told of their key, and logged where there is a log. */
function tallied(
  { receipts }: Store,
  tally: RequestTally,
  tokens: TokenRate,
  noteReceipt: (receipt: Receipt) => void,
  keys: LocalKeys,
  lowBalance: LowBalance | null,
  doubts: DoubtChecks | null,
  log: Log | undefined,
): ReceiptSink {
  return {
    begin: () => tally.begin(),
    put(receipt) {
      tally.note(receipt)
      tokens.note(receipt)
      receipts.put(receipt)
      keys.noteReceipt(receipt)
      noteReceipt(receipt)
      if (receipt.privacy !== 'refused') lowBalance?.noteRequest()
      doubts?.note(receipt)
      log?.('request/ended', endedRequest(receipt))
    },
    askedModel: (receiptId) => receipts.get(receiptId)?.askedModel,
  }
}

function releaseMemory(
  { verdicts, verifiedEnclaves, settings }: Store,
  log: Log | undefined,
  happenings: Happenings,
): ReleaseMemory {
  return {
    newest: (enclaveHost) => verdicts.newestRelease(enclaveHost),
    olderAccepted: (enclaveHost, digest) => verdicts.acceptedOlder(enclaveHost, digest),
    asksBeforeNew: () => asksBeforeNew(settings),
    trusted: (enclaveHost, release) => verdicts.trusted(enclaveHost, release),
    record: (verdict, proof) => {
      happenings.noteVerified(verdict, verifiedEnclaves.of(verdict.enclaveHost))
      verdicts.record(verdict)
      verifiedEnclaves.record(verdict, proof)
      log?.('attestation/verified', { validUntil: verdict.validUntil, trust: verdict.trust })
    },
  }
}

/**
 * The 32 bytes that a store's content is sealed under, the same for all profiles; made and kept where the vault has none. Throws vault/…,
 * store/unwritable. The caller zeroes them.
 */
export function storeKey(vault: Vault): Promise<Uint8Array> {
  return secretOrNew(vault, STORE_KEY, newKey)
}

/** 32 random bytes outside Node’s shared pool, so that zeroing them leaves no copy. */
function newKey(): Buffer {
  return randomFillSync(Buffer.from(new ArrayBuffer(32)))
}
