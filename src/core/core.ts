import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import type { Confirm } from '../shared/confirm.ts'
import type { Contact } from '../shared/contact.ts'
import { asSottoError, SottoError } from '../shared/errors.ts'
import type { Dial } from '../shared/dial.ts'
import type { DesktopControls } from '../shared/desktop-settings.ts'
import type { Fetch } from '../shared/fetch.ts'
import type { KeyLimits } from '../shared/key-limits.ts'
import type { Model } from '../shared/model.ts'
import { endedRequest, type Log } from '../shared/log-events.ts'
import type { Profile, ServiceChoice } from '../shared/profile.ts'
import type { OpenedReach, Reach } from '../shared/reach.ts'
import type { Receipt } from '../shared/receipt.ts'
import { say } from '../shared/say.ts'
import type { Standing } from '../shared/standing.ts'
import type { Notice, Status } from '../shared/status.ts'
import type { TrustSet } from '../shared/trust.ts'
import { openAccounts, serviceKeysOf } from './accounts/index.ts'
import { adoptFirstKey, contactsOf, createApi, Happenings, KeyActivity, openConversations, openLocalKeys, openLowBalance, openTopups, RecentLog, standingOf, type Drill, type LocalKeys, type LowBalance, type OpenCore, type RequestContext, type SandboxControls } from './api/index.ts'
import { asksBeforeNew, policyInForce } from './api/privacy-choices.ts'
import { trustRoots } from './attestation/index.ts'
import { openEnclaveChannel, type Patience, type ReleaseMemory } from './channel/index.ts'
import { openConsents } from './consents/index.ts'
import { strip } from './image-metadata/index.ts'
import { openLibrary } from './library/index.ts'
import { openKeyBudgets, type KeyBudgets } from './payment/index.ts'
import { hashOfLocalKey, newLocalKey, RequestTally, startSwitchedProxy, type AllowLists, type ProxyBackend, type ProxyServer } from './proxy/index.ts'
import { failedNotice, openNotice, openReach } from './reach/index.ts'
import { createCarrier, createModelListing, createRelay, type ReceiptSink } from './relay/index.ts'
import { readBalance } from './service/account/read/balance.ts'
import { readHistory } from './service/account/read/history.ts'
import { listModels } from './service/inference/models.ts'
import { openStore, type Store } from './store/index.ts'
import { openSpool } from './store/spool.ts'
import { openStudio, type StudioService } from './studio/index.ts'
import { secretOrNew, type OwnedVault, type Vault } from './vault/index.ts'
import { openMoney, type Money } from './wallet/index.ts'

export { amdRootsFromPem, readSavedEvidence, trustRoots, vendorRootFromPem, verifyEvidence, verifyReleaseFile, type ReleaseFileResult, type SavedEvidence } from './attestation/index.ts'
export { openVault, type OwnedVault as Vault, type VaultMode } from './vault/index.ts'

const LOCAL_KEY = 'local-key'
const STORE_KEY = 'store-key'
/** What a key may do that nobody knows. */
const NOTHING: KeyLimits = { budget: { picoUsd: 0n, period: 'total' } }
/** How long a request may take to come to its end once its caller is gone. */
const ENDING_MS = 1_500
const PATIENCE: Patience = { firstByteMs: 10 * 60_000, idleMs: 90_000 }

export interface CoreOptions {
  // The four seams.
  readonly vault: OwnedVault
  readonly fetch: Fetch
  /** The same for WebSockets, where they cannot go straight: to the relays of a wallet. */
  readonly dial?: Dial
  /** Unix ms. */
  readonly now: () => number
  readonly confirm: Confirm

  /** The data folder; this profile's own data stands below it. */
  readonly folder: string
  readonly version: string
  readonly profile: Profile
  readonly choices: readonly ServiceChoice[]
  /** The trust set that belongs to the profile; the sandbox's settles when its roots are minted. */
  readonly trust: { readonly name: TrustSet['name']; readonly roots: () => Promise<TrustSet> }
  readonly sandbox: SandboxControls | null
  /** The attack drill, which the host composes of a core and a sandbox of its own. */
  readonly drill?: Drill
  /** Absent without one. */
  readonly desktop?: DesktopControls
  readonly proxy: {
    readonly port: number
    readonly mayMove: boolean
    readonly allow?: AllowLists
    /** Also beyond loopback; opened once the vault is, and once it is confirmed. */
    readonly reach?: Reach
  }
  /** Whether the balance is looked at a moment after a request, for the notice that it is low. It is, where nothing is said. */
  readonly watchesBalance?: boolean
  /** Absent: nothing is logged. */
  readonly log?: Log | undefined
  /** Hosts beside the service's and the wallet's that this Sotto connects to, for the list that the window shows. */
  readonly contacts?: readonly Pick<Contact, 'host' | 'use'>[]
  readonly onReach?: (opened: OpenedReach) => void
  /** Something may stand otherwise than before; told often, and to be taken lightly. */
  readonly onChange?: () => void
  /** Lasting truths about this start, such as a memory vault. */
  readonly notices: () => readonly Notice[]
  /** The user chose another service: the owner of this core ends it and makes another. */
  readonly onChoose: (profileId: string) => void
  readonly patience?: Patience
}

export interface Core extends AsyncDisposable {
  api(request: Request, context: RequestContext): Promise<Response>
  readonly proxy: ProxyServer
  /** Starts or stops answering other programs. Throws proxy/port-taken. */
  serve(on: boolean): Promise<void>
  standing(): Standing
  /** Throws vault/locked and its like while the vault is not open. */
  localKey(): string
  /** The verdict in force ends. */
  invalidateVerdict(): void
  /** Asks the enclave for a proof now. Never throws. */
  verifyEnclave(): Promise<void>
  /** The machine slept, or may have: the same, and where there was a verdict another is asked for. Never throws. */
  renewVerdict(): Promise<void>
}

interface Opened extends OpenCore {
  /** Made once: every request of a tool asks for it. */
  readonly behindProxy: ProxyBackend
  readonly money: Money
  /** Nothing of the store is on disk; it moves there when the vault gets a lasting place. */
  inMemory: boolean
}

/** Joins the parts. Everything that the product does runs through what this returns. */
export async function createCore(given: CoreOptions): Promise<Core> {
  const recentLog = new RecentLog(given.now, given.log)
  const options = { ...given, log: recentLog.log }
  const { vault, profile } = options
  let opened: Opened | null = null
  const acknowledged = new Set<string>()
  const tally = new RequestTally()
  const happenings = new Happenings()

  async function open(): Promise<void> {
    if (vault.state !== 'open' || opened) return
    opened = await openCore(options, tally, happenings, (keyId) => proxy.endRequests(keyId))
    options.log('vault/opened', {})
  }
  function requireOpen(): Opened {
    if (opened) return opened
    if (vault.state === 'open') throw new SottoError('store/damaged')
    throw new SottoError(vault.state === 'damaged' ? 'vault/damaged' : vault.state === 'passphrase-needed' ? 'vault/passphrase-needed' : 'vault/locked')
  }

  await open()
  const proxy = await startSwitchedProxy({
    backend: () => requireOpen().behindProxy,
    service: profile.kind,
    version: options.version,
    tally,
    now: options.now,
    log: options.log,
    ...options.proxy,
  })

  /** What another process began goes on once this one answers. */
  const resumePayments = (): void => {
    opened?.money.resume()
    opened?.topups.resume()
    opened?.studio.resumeAll()
  }
  resumePayments()

  const givenUp = new AbortController()
  let reachOpen: OpenedReach | null = null
  let reachNotice: Notice | null = null
  let reaching = false
  /** Not waited for: to confirm it may take minutes, and loopback answers meanwhile. */
  function reachOut(): void {
    const { reach, allow } = options.proxy
    if (!reach || !opened || reaching) return
    reaching = true
    openReach({ reach, hosts: allow?.hosts ?? [], place: vault, settings: opened.store.settings, confirm: options.confirm, now: options.now, open: (at) => proxy.reach(at) }, givenUp.signal).then(
      (reached) => {
        reachOpen = reached
        reachNotice = openNotice(reached)
        options.onReach?.(reached)
      },
      (thrown: unknown) => {
        reachNotice = failedNotice(thrown)
        options.log('proxy/reach-refused', { code: asSottoError(thrown).code })
      },
    )
  }
  reachOut()

  async function verifyEnclave(): Promise<void> {
    await opened?.relay.channel?.verify().catch(() => undefined)
    options.onChange?.()
  }

  async function serve(on: boolean): Promise<void> {
    await proxy.serve(on)
    if (!on) {
      reachOpen = null
      reachNotice = null
      reaching = false
    } else reachOut()
    options.onChange?.()
  }

  const movedNotice: Notice[] = options.proxy.port !== 0 && proxy.port !== options.proxy.port
    ? [{ id: `port-moved-${String(proxy.port)}`, says: say('Port {taken} is taken, so the local address is on port {port} this time.', { taken: options.proxy.port, port: proxy.port }), lasting: false }]
    : []

  function status(): Promise<Status> {
    const masked = opened?.accounts.creditIdMasked()
    const lowBalance = opened?.lowBalance.notice()
    return Promise.resolve({
      version: options.version,
      service: {
        profileId: profile.id,
        name: profile.name,
        kind: profile.kind,
        baseUrl: profile.baseUrl,
        revision: profile.revision,
        hasPolicy: profile.policy !== undefined,
        ...(profile.policy && { enclaveHost: profile.policy.enclaveHost }),
        trust: options.trust.name,
      },
      firstStart: opened !== null && opened.store.settings.get('begun') === null,
      vault: { kind: vault.kind, state: vault.state },
      account: { connected: opened !== null && opened.accounts.activeId() !== null, ...(masked !== undefined && { creditIdMasked: masked }) },
      proxy: { baseUrl: proxy.baseUrl, serving: proxy.serving, ...(reachOpen && { reach: reachOpen }) },
      notices: [...options.notices(), ...movedNotice, ...(reachNotice ? [reachNotice] : []), ...(lowBalance ? [lowBalance] : [])].filter(({ id }) => !acknowledged.has(id)),
    })
  }

  const api = createApi({
    open: requireOpen,
    status,
    acknowledge: (noticeId) => void acknowledged.add(noticeId),
    confirm: options.confirm,
    now: options.now,
    choices: options.choices,
    choose: options.onChoose,
    vault,
    vaultChanged: async () => {
      await open()
      resumePayments()
      reachOut()
      if (!opened?.inMemory || vault.kind === 'memory') return
      opened.store.moveTo(profileFolder(options), await storeKey(vault))
      opened.inMemory = false
    },
    policy: profile.policy ?? null,
    trust: async () => {
      const roots = await options.trust.roots()
      const { name, sigstoreTrustedRootPublished: sigstorePublished } = roots
      return { name, roots: trustRoots(roots), ...(sigstorePublished !== undefined && { sigstorePublished }) }
    },
    proxyBaseUrl: () => proxy.baseUrl,
    fetch: options.fetch,
    exampleModel,
    sandbox: options.sandbox,
    drill: options.drill,
    recentLog,
    contacts: () => contactsOf({ profile, relays: opened?.wallet.view()?.relays ?? [], others: [...options.contacts ?? [], ...(options.desktop?.updates.hosts() ?? []).map((host) => ({ host, use: 'updates' as const }))] }),
    serve,
    desktop: options.desktop,
  })

  return {
    api,
    proxy,
    localKey: () => requireOpen().keys.firstSecret(),
    serve,
    standing: () => standingOf(opened, proxy.serving, happenings, options.now()),
    invalidateVerdict: () => opened?.relay.channel?.invalidate(),
    async renewVerdict() {
      opened?.studio.wake()
      const before = opened?.relay.channel?.current()
      opened?.relay.channel?.invalidate()
      if (before) await verifyEnclave()
      options.onChange?.()
    },
    verifyEnclave,
    async [Symbol.asyncDispose]() {
      givenUp.abort()
      // Whoever waits for a payment is told that it goes on later, and written down as told.
      await Promise.all([proxy.close(), opened?.topups[Symbol.asyncDispose](), opened?.studio[Symbol.asyncDispose](), opened?.money[Symbol.asyncDispose]()])
      // Those of the window, whose callers are gone: what became of them is written before the store is closed.
      await tally.settled(ENDING_MS)
      opened?.lowBalance[Symbol.dispose]()
      opened?.conversations[Symbol.dispose]()
      opened?.library[Symbol.dispose]()
      opened?.relay.channel?.close()
      opened?.store.close()
    },
  }
}

function profileFolder({ folder, profile }: CoreOptions): string {
  return join(folder, 'profiles', profile.id)
}

async function openCore(options: CoreOptions, tally: RequestTally, happenings: Happenings, endRequests: (keyId: string) => void): Promise<Opened> {
  const { vault, fetch, now, profile } = options
  const [key, accounts, localKey] = await Promise.all([
    storeKey(vault),
    openAccounts({ vault, fetch, profile, now }),
    secretOrNew(vault, LOCAL_KEY, () => Buffer.from(newLocalKey().secret)).then((secret) => Buffer.from(secret).toString('utf8')),
  ])
  // Nothing is asked of whoever tries the sandbox, so it gives itself an account, unless it was told to be without one.
  if (profile.kind === 'sandbox' && accounts.list().length === 0) await accounts.create()
  const inMemory = vault.kind === 'memory'
  const store = openStore({ folder: inMemory ? null : profileFolder(options), key, now })
  adoptFirstKey(store.localKeys, hashOfLocalKey(localKey))
  const activity = new KeyActivity()
  const budgets = budgetsOf(store, now, (keyId) => activity.changed(keyId))
  const keys = openLocalKeys({
    store,
    money: (keyId) => budgets.money(keyId),
    activity,
    now,
    newSecret: newLocalKey,
    firstSecret: localKey,
    keepFirst: (secret) => vault.set(LOCAL_KEY, Buffer.from(secret)),
    endRequests,
  })
  const patience = options.patience ?? PATIENCE
  const models = createModelListing(() => listModels({ fetch, access: () => accounts.access(), now }), now)
  const { policy } = profile
  const noteReceipt = (receipt: Receipt): void => {
    happenings.noteReceipt(receipt)
    options.onChange?.()
  }
  const channel = policy && profile.revision === 'B'
    ? openEnclaveChannel({
      fetch,
      now,
      policy: () => policyInForce(store.settings, policy),
      privateUrl: `${accounts.access().baseUrl}${profile.privatePath}`,
      trust: options.trust.roots,
      releases: releaseMemory(store, options.log, happenings),
      patience,
    })
    : null
  const service = { fetch, access: () => accounts.access(), now }
  const { sandbox } = options
  const carrier = createCarrier(service, profile.kind)
  const money = await openMoney({
    vault, profile, store, carrier, confirm: options.confirm, now, log: options.log,
    pretended: sandbox && (() => sandbox.wallet()), dial: options.dial,
  })
  const lowBalance = openLowBalance({ settings: store.settings, accounts, now })
  const topups = openTopups({ store, accounts, payer: money.payer, fetch, now, service: profile, rate: money.rate, onSettled: () => void lowBalance.look() })
  const relay = createRelay({ fetch, now, profile, models, channel, access: () => accounts.access(), receipts: tallied(store, tally, noteReceipt, keys, options.watchesBalance === false ? null : lowBalance, options.log), budgets, payer: money.single, patience })
  const spool = openSpool(join(options.folder, 'spool'))
  const forStudio: StudioService = {
    ...relay,
    revision: profile.revision,
    fetchOwn: (address, signal) => carrier.fetchOwn(address, signal),
    accountId: () => accounts.activeId(),
    history: (days, page, signal) => readHistory(service, { ...days, allKeys: true, page, pageSize: 100 }, { signal }),
  }
  const studio = openStudio({ store, spool, service: forStudio, payer: money.payer, strip: (bytes) => strip(bytes).bytes, now })
  studio.jobs.onChange(({ job }) => {
    if (!job) return
    happenings.noteJob(job, now())
    options.onChange?.()
  })
  const behindProxy: ProxyBackend = {
    relay,
    spool,
    findKey: (hash) => store.localKeys.findByHash(hash),
    account: { balance: (signal) => readBalance(service, { signal }), history: (input, signal) => readHistory(service, input, { signal }) },
  }
  // Temporary conversations: under a key that nothing keeps, in memory, which no passphrase ever moves to the disk.
  const conversations = openConversations(store, openStore({ folder: null, key: randomBytes(32), now }))
  return { store, conversations, consents: openConsents(now), library: openLibrary(store, now), studio, relay, keys, accounts, serviceKeys: serviceKeysOf({ fetch, now, accounts }), payer: money.payer, wallet: money.wallet, rate: money.rate, topups, lowBalance, money, behindProxy, inMemory }
}

/** Receipts are kept, counted for whoever measures this proxy, told of their key, and logged where there is a log. */
function tallied({ receipts }: Store, tally: RequestTally, noteReceipt: (receipt: Receipt) => void, keys: LocalKeys, lowBalance: LowBalance | null, log: Log | undefined): ReceiptSink {
  return {
    begin: () => tally.begin(),
    put(receipt) {
      tally.note(receipt)
      receipts.put(receipt)
      keys.noteReceipt(receipt)
      noteReceipt(receipt)
      if (receipt.privacy !== 'refused') lowBalance?.noteRequest()
      log?.('request/ended', endedRequest(receipt))
    },
  }
}

function budgetsOf({ spending, localKeys }: Store, now: () => number, onChange: (keyId: string) => void): KeyBudgets {
  return openKeyBudgets({ journal: spending, limitsOf: (keyId) => localKeys.get(keyId)?.limits ?? NOTHING, now, onChange })
}

function releaseMemory({ verdicts, verifiedEnclaves, settings }: Store, log: Log | undefined, happenings: Happenings): ReleaseMemory {
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

function storeKey(vault: Vault): Promise<Uint8Array> {
  return secretOrNew(vault, STORE_KEY, () => randomBytes(32))
}

/** What the snippets show: a private model where there is one. */
function exampleModel(models: readonly Model[]): string {
  return (models.find((model) => model.private) ?? models[0])?.id ?? 'private/model'
}
