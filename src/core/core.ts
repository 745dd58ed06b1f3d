import { enclaveHostsOf, isDirect } from '../shared/direct.ts'
import { asSottoError, SottoError } from '../shared/errors.ts'
import { isFilePath } from '../shared/file-paths.ts'
import type { RemoteAccess } from '../shared/remote-access.ts'
import { msg } from '../shared/localized-text.ts'
import type { AppStatus } from '../shared/app-status.ts'
import type { Notice, Status } from '../shared/status.ts'
import { appStatusOf, Happenings } from './app/app-status.ts'
import { contactsOf } from './app/contacts.ts'
import { RecentLog } from './app/recent-log.ts'
import type { ApiContext } from './rpc/context.ts'
import { createApi, type Api } from './rpc/create-api.ts'
import { createStoreSaver } from './save-store.ts'
import { recordsNotice } from './storage/record-changes.ts'
import { isFreshEvidenceUnchosen } from './gateway/privacy-choices.ts'
import { Caller, WindowSessions } from './gateway/callers/index.ts'
import { trustRoots } from '../verifier/index.ts'
import { createUnlockedCore, type CoreOptions, type UnlockResult } from './create-core.ts'
import { RequestTally, startSwitchedProxy, type ProxyServer } from './gateway/proxy/index.ts'
import { failedNotice, remoteAccessOpenNotice, startRemoteAccess } from './gateway/remote-access/index.ts'

export {
  amdRootsFromPem,
  assessDirect,
  assessEvidence,
  assessServiceEnclave,
  knownAnswersHold,
  knownAnswersOf,
  trustRoots,
  vendorRootFromPem,
  verifyReleaseFile,
  type ReleaseFileResult,
} from '../verifier/index.ts'
export { readSavedEvidence, type SavedEvidence } from './gateway/channel/proof.ts'
export { APP_ORIGIN, Caller, WindowSessions } from './gateway/callers/index.ts'
export { unlockVault, type OwnedVault as Vault, type VaultMode } from './storage/vault/index.ts'

/** How long a request may take to end after its caller disconnected. */
const ENDING_MS = 1_500

export interface Core extends Api, AsyncDisposable {
  /** Handles a call or file request of the process that created the core, or that it authenticated as its user's. */
  asOwner(request: Request): Promise<Response>
  /** Ends this core like disposal. Running requests fail with request/locked, and later calls with vault/locked. */
  lock(): Promise<void>
  sleeping(): void
  readonly proxy: ProxyServer
  readonly savedIn: ApiContext['savedIn']
  /** Starts or stops serving other programs. Throws proxy/port-taken. */
  serve(on: boolean): Promise<void>
  status(): AppStatus
  /** Notices for the window and the commands. */
  notices(): Promise<readonly Notice[]>
  /** @throws {SottoError} vault/locked and similar codes – while the vault isn't open */
  localKey(): string
  /** Whether no request is in progress that will have a receipt. */
  atRest(): boolean
  /** Prepares in advance for the first private question, so that it doesn't wait. Never throws. */
  prepare(): Promise<void>
  /** Ends the current verdict. */
  invalidateVerdict(): void
  /** Verifies the enclave now. Never throws. */
  verifyEnclave(): Promise<void>
  /** Ends the verdict after sleep, and renews it if there was one. Never throws. */
  renewVerdict(): Promise<void>
}

/** Creates the core: every function of the product runs through it. */
export async function createCore(coreOptions: CoreOptions): Promise<Core> {
  const recentLog = new RecentLog(coreOptions.now, coreOptions.log)
  const options = { ...coreOptions, log: recentLog.log }
  const { vault, profile } = options
  let opened: UnlockResult | null = null
  const acknowledged = new Set<string>()
  const [tally, happenings] = [new RequestTally(), new Happenings()]
  const [ended, answersEnded] = [new AbortController(), new AbortController()]
  let ending: Promise<void> | null = null
  let opening: Promise<void> = Promise.resolve()

  /** Opens serially, and not after this core has ended, so that everything opened is also closed. */
  function open(): Promise<void> {
    opening = opening
      .catch(() => undefined)
      .then(async () => {
        if (vault.state !== 'open' || opened || ending) return
        opened = await createUnlockedCore(options, {
          tally,
          happenings,
          endRequests: (keyId) => proxy.endRequests(keyId),
          ended: ended.signal,
        })
        options.log('vault/opened', {})
        const changed = opened.store.integrity.changes().length
        if (changed > 0) options.log('store/rows-changed', { tables: changed })
      })
    return opening
  }
  function requireOpen(): UnlockResult {
    if (ended.signal.reason instanceof SottoError) throw new SottoError('vault/locked')
    if (opened) return opened
    throw new SottoError(vault.state === 'open' ? 'store/damaged' : `vault/${vault.state}`)
  }

  await open()
  const proxy = await startSwitchedProxy({
    backend: () => requireOpen().behindProxy,
    service: profile.kind,
    version: options.version,
    tally,
    now: options.now,
    monotonic: options.monotonic,
    log: options.log,
    ...options.proxy,
  })

  const saver = createStoreSaver(() => opened, options)

  /** Resumes work that another process started. */
  const resumePayments = (): void => {
    // Another program may have reset a job or a payment to an earlier state. Resuming would send it again.
    if (opened && opened.store.integrity.changes().length > 0) return
    ignoreStorageFailure(() => opened?.money.resume())
    ignoreStorageFailure(() => opened?.topups.resume())
    ignoreStorageFailure(() => opened?.studio.resumeAll())
  }
  resumePayments()

  const endController = new AbortController()
  let remoteAccess: RemoteAccess | null = null
  let remoteAccessNotice: Notice | null = null
  let reaching = false
  /** Not awaited: confirmation may take minutes, while the proxy already answers on loopback. */
  function startRemote(): void {
    const { remoteAddress, allow } = options.proxy
    if (!remoteAddress || !opened || reaching) return
    reaching = true
    startRemoteAccess(
      {
        remoteAddress,
        hosts: allow?.hosts ?? [],
        place: vault,
        settings: opened.store.settings,
        confirm: options.confirm,
        now: options.now,
        open: (at) => proxy.listenAt(at),
      },
      endController.signal,
    ).then(
      (reached) => {
        remoteAccess = reached
        remoteAccessNotice = remoteAccessOpenNotice(reached)
        options.onRemoteAccess?.(reached)
      },
      (thrown: unknown) => {
        remoteAccessNotice = failedNotice(thrown)
        options.log('remote-access/not-confirmed', { code: asSottoError(thrown).code })
      },
    )
  }
  startRemote()

  async function verifyEnclave(): Promise<void> {
    await opened?.relay.channel?.verify().catch(() => undefined)
    options.onChange?.()
  }

  async function serve(on: boolean): Promise<void> {
    await proxy.serve(on)
    if (!on) {
      remoteAccess = null
      remoteAccessNotice = null
      reaching = false
    } else startRemote()
    options.onChange?.()
  }

  const movedNotice: Notice[] =
    options.proxy.port !== 0 && proxy.port !== options.proxy.port
      ? [
          {
            id: `port-moved-${String(proxy.port)}`,
            says: msg(
              'Port {taken} is in use, so Sotto is using port {port} for the local address this time.',
              { taken: options.proxy.port, port: proxy.port },
            ),
            lasting: false,
          },
        ]
      : []

  function status(): Promise<Status> {
    const account = opened?.accounts.list().find(({ active }) => active)
    const lowBalance = opened?.lowBalance.notice()
    const changedRecords = opened && recordsNotice(opened.store.integrity.changes())
    const lockAfterMinutes = opened?.autoLock.settings.afterMinutes
    const lockedBy = vault.state === 'locked' ? options.lockedBy?.() : null
    return Promise.resolve({
      version: options.version,
      service: {
        profileId: profile.id,
        name: profile.name,
        kind: profile.kind,
        baseUrl: profile.baseUrl,
        revision: profile.revision,
        hasPolicy: profile.policy !== undefined,
        ...(isDirect(profile) && { direct: true as const }),
        ...(profile.policy && { enclaveHost: profile.policy.enclaveHost }),
        ...(opened &&
          !isDirect(profile) &&
          profile.policy?.nonceBound &&
          isFreshEvidenceUnchosen(opened.store.settings) && { asksFreshEvidence: true as const }),
        ...(profile.documentConversion &&
          opened?.relay.channel && { documentConversion: profile.documentConversion }),
        trust: options.trust.name,
        openChat: opened?.relay.plaintextChatPrivacy() ?? 'forwarded',
      },
      firstStart: opened !== null && opened.store.settings.get('begun') === null,
      vault: {
        kind: saver.savedIn(),
        state: vault.state,
        ...(lockedBy && { lockedBy }),
        ...(typeof lockAfterMinutes === 'number' && { lockAfterMinutes }),
      },
      account: {
        connected: account !== undefined,
        ...(account?.creditIdMasked !== undefined && { creditIdMasked: account.creditIdMasked }),
        ...(account && { name: account.name }),
      },
      proxy: { baseUrl: proxy.baseUrl, serving: proxy.serving, ...(remoteAccess && { reach: remoteAccess }) },
      notices: [
        ...(changedRecords ? [changedRecords] : []),
        ...options.notices(saver.savedIn()),
        ...movedNotice,
        ...(remoteAccessNotice ? [remoteAccessNotice] : []),
        ...(lowBalance ? [lowBalance] : []),
        ...(opened?.keys.notices() ?? []),
        ...(opened?.skipped.notices() ?? []),
      ].filter(({ id }) => !acknowledged.has(id)),
    })
  }

  const { api, files } = createApi({
    open: requireOpen,
    status,
    acknowledge: (noticeId) => void acknowledged.add(noticeId),
    acceptRecords() {
      requireOpen().store.integrity.accept()
      options.log('store/records-accepted', {})
      resumePayments()
    },
    confirm: options.confirm,
    now: options.now,
    choices: options.choices,
    choose: options.onChoose,
    vault,
    savedIn: saver.savedIn,
    lock: async () =>
      options.onLock?.({ by: 'request' }) ?? Promise.reject(new SottoError('vault/cannot-lock')),
    ending: endController.signal,
    ended: answersEnded.signal,
    vaultChanged: async () => {
      await open()
      resumePayments()
      startRemote()
      void opened?.relay.channel?.prepare()
      await saver.save()
    },
    policy: profile.policy ?? null,
    direct: isDirect(profile),
    enclaveHosts: enclaveHostsOf(profile),
    serviceEnclave: profile.serviceEnclave ?? null,
    trust: async () => {
      const roots = await options.trust.roots()
      const { name, sigstoreTrustedRootPublished: sigstorePublished } = roots
      return { name, roots: trustRoots(roots), ...(sigstorePublished !== undefined && { sigstorePublished }) }
    },
    proxyBaseUrl: () => proxy.baseUrl,
    fetch: options.fetch,
    sandbox: options.sandbox,
    windows: options.windows ?? new WindowSessions(options.now),
    stopAnswersOf: (windowId) => opened?.answers.stopOf(windowId),
    selfTest: options.selfTest,
    recentLog,
    contacts: () =>
      contactsOf({
        profile,
        relays: opened?.wallet.view()?.relays ?? [],
        relaysChat: opened?.relay.plaintextChatPrivacy() === 'relayed',
        enclave: opened?.freshEvidenceHost(),
        toolServers: opened?.tools.servers.hosts() ?? [],
        updates: options.desktop?.updates.hosts() ?? [],
        others: options.contacts ?? [],
      }),
    serve,
    desktop: options.desktop,
  })

  return {
    api,
    files,
    asOwner: (request) =>
      isFilePath(new URL(request.url).pathname) ? files(request) : api(request, Caller.owner()),
    proxy,
    savedIn: saver.savedIn,
    localKey: () => requireOpen().keys.firstSecret(),
    serve,
    notices: async () => (await status()).notices,
    status: () => ({
      ...appStatusOf(opened, proxy.serving, happenings, options.now()),
      canLock: opened !== null && saver.savedIn() !== 'memory',
    }),
    atRest: () => tally.inFlight === 0,
    prepare: async () => opened?.relay.channel?.prepare(),
    invalidateVerdict: () => {
      opened?.relay.channel?.invalidate()
      opened?.relay.serviceEnclave?.invalidate()
    },
    sleeping: () => void opened?.autoLock.sleep(),
    async renewVerdict() {
      if (opened?.autoLock.sleep()) return
      opened?.studio.wake()
      const before = opened?.relay.channel?.current()
      opened?.relay.channel?.invalidate()
      opened?.relay.serviceEnclave?.invalidate()
      if (before) await verifyEnclave()
      options.onChange?.()
    },
    verifyEnclave,
    lock: () => end(new SottoError('request/locked')),
    [Symbol.asyncDispose]: () => end(),
  }

  function end(locked?: SottoError): Promise<void> {
    ending ??= opening.catch(() => undefined).then(() => endOnce(locked))
    return ending
  }

  async function endOnce(locked: SottoError | undefined): Promise<void> {
    saver[Symbol.dispose]()
    opened?.autoLock[Symbol.dispose]()
    endController.abort(locked)
    // Callers that wait for a payment get an error that it continues later, and that result is recorded.
    const parts = [
      opened?.topups[Symbol.asyncDispose](),
      opened?.studio[Symbol.asyncDispose](),
      opened?.money[Symbol.asyncDispose](),
    ]
    if (locked) {
      // Jobs are stopping, as at a shutdown. Other requests fail with this code while their callers are connected.
      ended.abort(locked)
      await tally.settled(ENDING_MS)
    }
    await opened?.answers[Symbol.asyncDispose]().then(() => opened?.tools[Symbol.asyncDispose]())
    // Before the store is closed, so that the receipts of running conversions are written.
    opened?.conversions[Symbol.dispose]()
    await Promise.all([proxy.close(), ...parts])
    // Requests of the window, whose callers are gone. Their results are written before the store is closed.
    await tally.settled(ENDING_MS)
    answersEnded.abort()
    opened?.doubts?.[Symbol.dispose]()
    opened?.lowBalance[Symbol.dispose]()
    opened?.tokenCounter.close()
    for (const part of [opened?.conversations, opened?.library, opened?.knowledge]) part?.[Symbol.dispose]()
    opened?.relay.channel?.close()
    opened?.relay.serviceEnclave?.close()
    opened?.temporary.close()
    opened?.cacheSecrets[Symbol.dispose]()
    opened?.behindProxy.responses[Symbol.dispose]()
    await saver.save().catch(() => undefined)
    // Best effort: if this fails, the vault remembers an earlier revision, which causes no false report.
    await opened?.rememberRoot().catch(() => undefined)
    opened?.store.close()
    opened = null
  }
}

/** Limits the effect of an unreadable or unwritable record to the work that needs it. */
function ignoreStorageFailure(resume: () => void): void {
  try {
    resume()
  } catch (thrown) {
    if (!asSottoError(thrown).code.startsWith('store/')) throw thrown
  }
}
