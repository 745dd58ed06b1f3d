import { randomBytes, randomFillSync } from 'node:crypto'
import { join } from 'node:path'
import type { BodyBudget } from '../shared/body-budget.ts'
import type { Confirm } from '../shared/confirm.ts'
import type { Contact } from '../shared/contact.ts'
import type { DesktopControls } from '../shared/desktop-settings.ts'
import type { Dial, Fetch } from '../shared/fetch.ts'
import { isDirect } from '../shared/direct.ts'
import { SottoError } from '../shared/errors.ts'
import type { KeyLimits } from '../shared/key-limits.ts'
import type { LockReason } from '../shared/lock.ts'
import { endedRequest, type Log } from '../shared/log-events.ts'
import type { Profile, ServiceChoice } from '../shared/profile.ts'
import type { RemoteAccess, RemoteAddress } from '../shared/remote-access.ts'
import type { Receipt } from '../shared/receipt.ts'
import type { Notice } from '../shared/status.ts'
import type { TrustSet } from '../shared/trust.ts'
import { createAccounts, serviceKeysOf } from './payments/accounts/index.ts'
import { DoubtChecks } from './payments/history/doubt-checks.ts'
import { historyPlaceOf } from './payments/history/list-page.ts'
import { createLowBalance, type LowBalance } from './payments/low-balance.ts'
import { createTopups } from './payments/topups/topups.ts'
import type { Happenings } from './app/app-status.ts'
import { createConversations } from './conversations/conversations.ts'
import { KeyActivity } from './gateway/local-keys/key-activity.ts'
import {
  adoptFirstKey,
  createLocalKeys,
  type LocalKeys,
  type ToolSecrets,
} from './gateway/local-keys/local-keys.ts'
import type { SandboxControls, SelfTest, UnlockedCore } from './rpc/context.ts'
import type { Timeouts } from './gateway/request-timeout.ts'
import { AutoLock } from './auto-lock.ts'
import type { WindowSessions } from './gateway/callers/index.ts'
import { createConsents } from './conversations/consents/index.ts'
import { removeMetadata } from './conversations/image-metadata/index.ts'
import { RunningAnswers } from './conversations/answer/running-answers.ts'
import { createKnowledge } from './knowledge/knowledge.ts'
import { createLibrary } from './conversations/library/index.ts'
import { withProjectLimits } from './projects/private-only.ts'
import { projectLimitsOf } from './projects/project-budget.ts'
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
import { createToolServices } from './images-for-tools.ts'
import { releaseMemoryIn } from './release-memory-in.ts'
import { createStore, type Store } from './storage/index.ts'
import { createSpool } from './storage/spool.ts'
import { freshEvidenceHost, createChannel } from './gateway/create-channel.ts'
import { createServiceEnclave } from './gateway/create-service-enclave.ts'
import { createJobs, type StudioService } from './jobs/index.ts'
import { secretOrNew, setText, takeText, type OwnedVault, type Vault } from './storage/vault/index.ts'
import { createCachedCounter } from './gateway/tokens/cached-counter.ts'
import { createTools } from './tools/index.ts'
import { createTokenCounter, type TokenCounter } from './gateway/tokens/token-thread.ts'
import { createMoney, type Money } from './payments/wallet/index.ts'

const LOCAL_KEY = 'local-key'
const STORE_KEY = 'store-key'
const CACHE_SECRET = 'cache-secret'
/** Separate for each profile, because each has its own local keys. */
const TOOL_KEY = 'tool-key/'
/**
 * The vault stores the revision of each profile's sealed root, so that a database without one, or with an
 * older one, is reported.
 */
const ROOT_REVISION = 'store-root/'
/** The limits of an unknown key. */
const NOTHING: KeyLimits = { budget: { picoUsd: 0n, period: 'total' } }
/** How long a question about a call of a local key waits for a person. Callers wait for up to ten minutes by default. */
const QUESTION_MS = 120_000
const TIMEOUTS: Timeouts = { firstByteMs: 10 * 60_000, idleMs: 90_000 }

export interface CoreOptions {
  // The four interfaces to the system.
  readonly vault: OwnedVault
  readonly fetch: Fetch
  /** For WebSockets to the relays of a wallet; direct connections by default. */
  readonly dial?: Dial
  /** Unix ms. */
  readonly now: () => number
  /** Ms from an arbitrary start, independent of the wall clock. By default the process's clock. */
  readonly monotonic?: () => number
  readonly confirm: Confirm

  /** The data folder, which has a folder for this profile's data. */
  readonly folder: string
  readonly version: string
  readonly profile: Profile
  readonly choices: readonly ServiceChoice[]
  /** The trust set of the profile. That of the sandbox resolves when its roots are created. */
  readonly trust: { readonly name: TrustSet['name']; readonly roots: () => Promise<TrustSet> }
  readonly sandbox: SandboxControls | null
  /** The browser tabs that may call. They remain when the service changes. Absent if no tab can. */
  readonly windows?: WindowSessions
  /** The self-test, which the host runs in another core with a sandbox. */
  readonly selfTest?: SelfTest
  readonly desktop?: DesktopControls
  readonly proxy: {
    readonly port: number
    readonly mayMove: boolean
    readonly allow?: AllowLists
    /** Shared with the window's server. By default the proxy has its own. */
    readonly bodies?: BodyBudget
    /** Also listens beyond loopback, when the vault is unlocked and a person has confirmed it. */
    readonly remoteAddress?: RemoteAddress
  }
  /** Whether the balance is read a moment after a request, for the notice that it's low. True by default. */
  readonly watchesBalance?: boolean
  /** Absent: nothing is logged. */
  readonly log?: Log | undefined
  /**
   * Hosts that this Sotto connects to in addition to the service's and the wallet's, for the list in the
   * window.
   */
  readonly contacts?: readonly Pick<Contact, 'host' | 'use'>[]
  readonly onRemoteAccess?: (opened: RemoteAccess) => void
  /** Called often, when the status may have changed. */
  readonly onChange?: () => void
  /** Facts about this start. @param savedIn see ApiContext */
  readonly notices: (savedIn: OwnedVault['kind']) => readonly Notice[]
  /**
   * The user selected another service. After saving that, the owner of this core ends it and creates another.
   * @throws {SottoError} store/unwritable – this core then continues
   */
  readonly onChoose: (profileId: string) => Promise<void>
  /**
   * Locks the vault and replaces this core with a locked one. Absent if locking must not happen
   * automatically: for a command that owns the data folder only while it runs.
   * @returns false if the vault was locked already
   * @throws {SottoError} vault/cannot-lock
   */
  readonly onLock?: (reason: LockReason) => Promise<boolean>
  /** Why the vault is locked; null if it hasn't been unlocked since the start. */
  readonly lockedBy?: () => LockReason | null
  readonly timeouts?: Timeouts
}

export interface UnlockResult extends UnlockedCore {
  /** Created once, because every request of a tool needs it. */
  readonly behindProxy: ProxyBackend
  readonly money: Money
  readonly autoLock: AutoLock
  readonly cacheSecrets: CacheSecrets
  readonly skipped: SkippedEntries
  /** Null for a direct profile. */
  readonly doubts: DoubtChecks | null
  /** The enclave's own server, if fresh evidence comes from it. */
  freshEvidenceHost(): string | undefined
  /** The store of temporary conversations. */
  readonly temporary: Store
  readonly tokenCounter: TokenCounter
  /** The store isn't on the disk. It moves there when the vault is saved there. */
  inMemory: boolean
  /**
   * Saves the revision of the store's sealed root in the vault. Does nothing while the store is in memory.
   * @throws {SottoError} vault/…, store/unwritable
   */
  rememberRoot(): Promise<void>
}

/** Returns the folder of this profile's own data. Services share nothing. */
export function profileFolder({ folder, profile }: CoreOptions): string {
  return join(folder, 'profiles', profile.id)
}

export interface UnlockedCoreParts {
  readonly tally: RequestTally
  readonly happenings: Happenings
  readonly endRequests: (keyId: string) => void
  /** Ends every request to a model, which fails with its reason. */
  readonly ended: AbortSignal
}

/** Creates the parts that need an unlocked vault. Throws the errors of the store and the vault. */
export async function createUnlockedCore(
  options: CoreOptions,
  { tally, happenings, endRequests, ended }: UnlockedCoreParts,
): Promise<UnlockResult> {
  const { vault, fetch, now, monotonic = () => performance.now(), profile, onLock } = options
  const { folder, version } = options
  const responses = new ResponseCache({ now, monotonic })
  const [key, remembered, accounts, localKey] = await Promise.all([
    storeKey(vault),
    rootRevision(vault, profile.id),
    // The tools of another account must not read this account's responses.
    createAccounts({ vault, fetch, profile, now, onSwitch: () => responses.clear() }),
    secretOrNew(vault, LOCAL_KEY, () => Buffer.from(newLocalKey().secret)).then(takeText),
  ])
  // The sandbox needs no account of the user, so it creates one, unless it's configured to be without one.
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
    limitsOf: (owner) => projectLimitsOf(store, owner) ?? store.localKeys.get(owner)?.limits ?? NOTHING,
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
    releases: releaseMemoryIn(store, (verdict) => {
      happenings.noteVerified(verdict, store.verifiedEnclaves.of(verdict.enclaveHost))
      options.log?.('attestation/verified', { validUntil: verdict.validUntil, trust: verdict.trust })
    }),
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
  const transport = createPaymentTransport(service, profile.kind)
  const money = await createMoney({
    vault,
    profile,
    store,
    transport,
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
  const watchedBalance = options.watchesBalance === false || isDirect(profile) ? null : lowBalance
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
      receipts: tallied(store, tally, tokens, noteReceipt, keys, watchedBalance, doubts, options.log),
      budgets,
      payer: isDirect(profile) ? null : money.single,
      timeouts,
      skipped,
    }),
    ended,
  )
  const spool = createSpool(join(folder, 'spool'))
  const forStudio: StudioService = {
    ...relay,
    revision: profile.revision,
    fetchOwn: (address, signal) => transport.fetchOwn(address, signal),
    accountId: () => accounts.activeId(),
    history: (days, page, signal) =>
      readHistory(service, { ...days, allKeys: true, page, pageSize: 100 }, { signal }),
  }
  const studio = createJobs({
    store,
    spool,
    service: forStudio,
    payer: money.payer,
    removeMetadata: (bytes) => removeMetadata(bytes).bytes,
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
    fetchOwn: (address, signal) => transport.fetchOwn(address, AbortSignal.any([signal, ended])),
    findKey: (hash) => {
      // A revocation, a limit or spent amounts may be among missing rows.
      store.integrity.requireIntact()
      const key = store.localKeys.findByHash(hash)
      return key && withProjectLimits({ store }, key)
    },
    keyAllows: (origin) =>
      store.localKeys.list().some((key) => allowsOrigin(key, origin) && isValid(key, limitClock.read().at)),
    requireMoneyLeft: (keyId) => budgets.requireLeft(keyId),
    tokens,
    tokenCounter,
    limitTime: () => limitClock.read().at,
    budgetsLeft: () =>
      listBudgetsLeft(store.localKeys.list(), (keyId) => budgets.money(keyId), limitClock.read().at),
    liveKeys: () => store.localKeys.list().filter((key) => isValid(key, limitClock.read().at)),
    lastBalance: () => lowBalance.seen(),
    account: {
      balance: (signal) => readBalance(service, { signal }),
      history: (input, signal) => readHistory(service, input, { signal }),
    },
  }
  // Temporary conversations are in memory, under a key that is never saved, and never move to the disk.
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
  const knowledge = createKnowledge(store)
  const services = { secrets: vault, ...(isDirect(profile) ? {} : createToolServices(relay, studio)) }
  const tools = createTools({ store, folder, version, fetch, now, projectFiles: knowledge, ...services })
  const opened: UnlockResult = {
    store,
    conversions,
    temporary,
    autoLock,
    conversations,
    answers: new RunningAnswers(),
    consents: createConsents(now),
    // So that windows list imported chats at once.
    library: createLibrary({ ...store, conversations: conversations.places.stored.conversations }, now),
    knowledge,
    studio,
    relay,
    keys,
    accounts,
    serviceKeys: serviceKeysOf({ fetch, now, accounts }),
    payer: money.payer,
    budgets,
    wallet: money.wallet,
    rate: money.rate,
    tools,
    topups,
    lowBalance,
    doubts,
    skipped,
    money,
    behindProxy: {
      ...behindProxy,
      // Only a key with server tools loads them.
      chatWithTools: async (...request) => {
        const { chatWithServerTools } = await import('./server-tools/index.ts')
        return chatWithServerTools({ relay, tools, store, now, questionMs: QUESTION_MS }, ...request)
      },
    },
    cacheSecrets,
    inMemory,
    tokenCounter,
    // A separate cache, so that the time of a count doesn't reveal to tools what a chat contains.
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
  // From now on, the next start notices a database that was deleted, or replaced with one from before the
  // root.
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

/** @throws {SottoError} vault/… */
async function rootRevision(vault: Vault, profileId: string): Promise<number | undefined> {
  const stored = await vault.get(ROOT_REVISION + profileId)
  if (!stored) return undefined
  const revision = Number(Buffer.from(stored).toString('utf8'))
  if (!Number.isSafeInteger(revision)) throw new SottoError('vault/damaged')
  return revision
}

/** Wraps the store's receipts: saves, counts and logs them, and notifies the local key. */
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

/**
 * Returns the 32 bytes of the key that seals a store's content, the same for all profiles. Created and saved
 * if the vault has none. The caller zeroes them.
 * @throws {SottoError} vault/…, store/unwritable
 */
export function storeKey(vault: Vault): Promise<Uint8Array> {
  return secretOrNew(vault, STORE_KEY, newKey)
}

/** Returns 32 random bytes outside Node's shared pool, so that zeroing them leaves no copy. */
function newKey(): Buffer {
  return randomFillSync(Buffer.from(new ArrayBuffer(32)))
}
