import { join } from 'node:path'
import { createCore, unlockVault, WindowSessions, type Caller, type Core, type Vault } from '../core/core.ts'
import { startSandbox, type Sandbox } from '../sandbox/index.ts'
import { BodyBudget } from '../shared/body-budget.ts'
import type { Confirm } from '../shared/confirm.ts'
import type { DesktopControls } from '../shared/desktop-settings.ts'
import { isDirect } from '../shared/direct.ts'
import { asSottoError, SottoError } from '../shared/errors.ts'
import type { LockReason } from '../shared/lock.ts'
import type { Profile, ServiceChoice } from '../shared/profile.ts'
import type { RemoteAccess } from '../shared/remote-access.ts'
import { msg } from '../shared/localized-text.ts'
import type { AppStatus } from '../shared/app-status.ts'
import type { Notice } from '../shared/status.ts'
import { readChosenService, writeChosenService } from './chosen-service.ts'
import { disableCoreDumps } from './core-dumps.ts'
import { createSelfTests } from './self-test/self-tests.ts'
import type { DataFolder } from './data-folder.ts'
import { createOutboundFetch } from './outbound-fetch.ts'
import { overwriteFreedMemory } from './freed-memory.ts'
import { IdleGc } from './idle-gc.ts'
import { acquireOwnership } from './owner-socket.ts'
import { readVersion } from './application-root.ts'
import { builtInTrust, presetProfiles } from './resources.ts'
import type { Settings } from './settings.ts'

export { APP_ORIGIN, Caller } from '../core/core.ts'

export interface Host extends AsyncDisposable {
  /** Procedures of the contract. While the service is being changed, requests wait for the new core. */
  api(request: Request, caller: Caller): Promise<Response>
  /** Files in and out, by paths that carry their own authority. */
  files(request: Request): Promise<Response>
  /** A procedure or a file, as the owner of the data folder: for this process, and for requests through the owner's socket. */
  asOwner(request: Request): Promise<Response>
  /** The browser tabs that may call. */
  readonly windows: WindowSessions
  proxyBaseUrl(): Promise<string>
  /** Null while the vault is not open. */
  localKey(): Promise<string | null>
  service(): 'sandbox' | 'service'
  /**
   * Ends what runs, zeroes the keys and starts a locked core.
   * @returns false if the vault was not open
   * @throws {SottoError} vault/cannot-lock – nothing is saved, so locking would lose everything
   */
  lock(): Promise<boolean>
  /** The computer is about to sleep: locks if the person chose so. Never throws. */
  sleeping(): Promise<void>
  /** After sleep: ends the verdict in force, and requests another one if there was one. */
  renewVerdict(): Promise<void>
  /** Asks the enclave for a proof now. Never throws. */
  verifyEnclave(): Promise<void>
  /**
   * Prepares for the first private question: the roots of a new sandbox, and the verifier's self-check.
   * Call it when the start is complete, because it uses every processor for a while. Never throws.
   */
  prepare(): void
  /** Starts or stops the proxy for other programs. Throws proxy/port-taken. */
  serve(on: boolean): Promise<void>
  /** Bounds the memory of request bodies, for every server that this process starts. */
  readonly bodies: BodyBudget
  /** Null while the service is being changed, or after that failed. */
  status(): Promise<AppStatus | null>
  /** The notices that a command prints when it starts; none while the service is being changed. */
  notices(): Promise<readonly Notice[]>
}

interface HostOptions {
  readonly settings: Settings
  /** That of the settings, checked. */
  readonly folder: DataFolder
  readonly confirm: Confirm
  /** A command that needs no server for other programs lets the system choose a port. */
  readonly anyPort?: boolean
  /** Called when an address beyond loopback is open. */
  readonly onRemoteAccess?: (opened: RemoteAccess) => void
  /** Called often, when the status may have changed. */
  readonly onChange?: () => void
  /** Absent without one. */
  readonly desktop?: DesktopControls
}

/** Keys are zeroed after this time even if something that used them has not ended. */
const LOCK_WITHIN_MS = 5_000

const MEMORY_NOTICE: Notice = {
  id: 'vault-memory',
  says: msg('No keychain is available and no passphrase was provided. Nothing is saved after Sotto quits.'),
  lasting: true,
}

/**
 * Takes ownership of a data folder and starts its only core. Throws host/already-running if another process
 * owns the folder, host/proxy-address, store/damaged and profile/unknown for an invalid marker,
 * vault/unavailable, proxy/port-taken and store/…; the folder isn't owned then.
 */
export async function startHost({
  settings,
  folder,
  confirm,
  anyPort = false,
  onRemoteAccess,
  onChange,
  desktop,
}: HostOptions): Promise<Host> {
  // It may refuse to start: before anything is owned.
  const outbound = createOutboundFetch()
  const coreDumpsOff = disableCoreDumps()
  const ownership = acquireOwnership(folder)
  if (!ownership) throw new SottoError('host/already-running')
  // A one-time command serves no other program, and has nothing to log.
  const journal =
    settings.log && !anyPort
      ? await import('./log/create-log.ts').then(
          ({ createLog }) => settings.log && createLog(settings.log, folder.path),
        )
      : undefined
  const selfTests = createSelfTests()
  const memory = new IdleGc({
    atRest: async () => bodies.heldBytes === 0 && (await withCore((live) => live.atRest(), false)),
  })
  const bodies = new BodyBudget({ bytes: settings.bodyMemoryBytes, onRelease: () => memory.stir() })
  const changed = (): void => {
    memory.stir()
    onChange?.()
  }
  const windows = new WindowSessions()
  let vault: Vault | undefined
  let sandbox: Sandbox | null = null
  let profile: Profile
  let lockedBy: LockReason | null = null
  let locks = 0

  async function closeAll(): Promise<void> {
    memory.close()
    selfTests.stop()
    await sandbox?.close()
    await vault?.close()
    await outbound.close()
    journal?.log('sotto/stopped', {})
    await journal?.close()
    ownership?.release()
  }

  /** @param at the port of the core before this one, which programs know by now */
  async function start(wanted: string | null, at?: number): Promise<Core> {
    const presets = await presetProfiles()
    const chosen = wanted === null || wanted === 'sandbox' ? null : presets.find(({ id }) => id === wanted)
    if (chosen === undefined)
      throw new SottoError('profile/unknown', {
        detail: msg('The data folder is set to “{service}”.', { service: String(wanted) }),
      })
    if (chosen === null)
      sandbox ??= await startSandbox({ folder: join(folder.path, 'sandbox'), serviceEnclave: true })
    else {
      await sandbox?.close()
      sandbox = null
    }
    const running = sandbox
    profile = chosen ?? running?.profile ?? impossible()
    // Before the vault's key is in memory.
    await coreDumpsOff
    vault ??= await unlockVault({
      mode: settings.vault,
      folder: folder.path,
      ...(settings.passphrase !== undefined && { passphrase: settings.passphrase }),
    })
    delete settings.passphrase
    const open = vault
    journal?.log('sotto/started', { service: profile.kind, vault: open.kind, vaultState: open.state })
    return createCore({
      vault: open,
      fetch: outbound.fetch,
      ...(outbound.dial && { dial: outbound.dial }),
      now: Date.now,
      confirm,
      folder: folder.path,
      version: await readVersion(),
      profile,
      choices: [
        { id: 'sandbox', name: 'Sandbox', kind: 'sandbox' },
        ...presets.map((preset) => choiceOf(preset)),
      ],
      trust: running
        ? { name: 'sandbox', roots: () => running.trust() }
        : { name: 'built-in', roots: builtInTrust },
      sandbox: running,
      windows,
      selfTest: (signal) => selfTests.run(signal),
      proxy: {
        port: at ?? (anyPort ? 0 : settings.port),
        mayMove: settings.portMayMove || settings.port === 0,
        allow: settings.allow,
        bodies,
        ...(settings.remoteAddress && !anyPort && { remoteAddress: settings.remoteAddress }),
      },
      log: journal?.log,
      contacts: outbound.proxy === undefined ? [] : [{ host: outbound.proxy, use: 'outbound-proxy' }],
      ...(onRemoteAccess && { onRemoteAccess }),
      onChange: changed,
      ...(desktop && { desktop }),
      ...(!anyPort && { onLock: lock }),
      lockedBy: () => lockedBy,
      notices: (savedIn) => [...(savedIn === 'memory' ? [MEMORY_NOTICE] : []), ...restrictedNotice(folder)],
      onChoose: choose,
    })
  }

  function prepare(): void {
    // The callers of the promise receive a failure.
    void core
      .then((live) => live.prepare())
      .catch(() => undefined)
      .then(() => memory.settle())
  }

  /** One choice at a time, so that the last saved choice is the one in effect. */
  function choose(profileId: string): Promise<void> {
    const saved = choosing.then(async () => {
      await writeChosenService(folder.path, profileId)
      change(profileId)
    })
    choosing = saved.catch(() => undefined)
    return saved
  }

  /** The choice is saved already: after a failure from here on, the next start uses that service. */
  function change(profileId: string): void {
    const previous = core
    core = (async () => {
      const before = await proxyOf(previous)
      // A failed last write doesn't affect the choice.
      await previous.then((live) => live[Symbol.asyncDispose]()).catch(() => undefined)
      try {
        const next = await startAfter(before, profileId)
        prepare()
        return next
      } catch (thrown) {
        throw asSottoError(thrown)
      }
    })()
    core.catch(() => undefined)
  }

  /** Other programs know the port of the core before, and a person may have stopped its proxy. */
  async function startAfter(before: Awaited<ReturnType<typeof proxyOf>>, service: string): Promise<Core> {
    const next = await start(service, before?.port)
    if (before?.serving === false) await next.serve(false)
    return next
  }

  /**
   * The same end and start as a change of service, with the vault's keys zeroed in between: they are, whatever becomes of the core that
   * used them. Choices wait for it, and it for them.
   */
  function lock(reason: LockReason): Promise<boolean> {
    const locking = choosing.then(async () => {
      if (vault?.state !== 'open') return false
      if ((await withCore((live) => live.savedIn(), vault.kind)) === 'memory')
        throw new SottoError('vault/cannot-lock')
      const locked = replaceByLocked(core, vault)
      core = locked
      lockedBy = reason
      await locked
      journal?.log('vault/locked', { by: reason.by })
      locks += 1
      changed()
      return true
    })
    choosing = locking.then(
      (locked) => void (locked && setImmediate(() => void overwriteFreedMemory())),
      () => undefined,
    )
    return locking
  }

  async function replaceByLocked(previous: Promise<Core>, open: Vault): Promise<Core> {
    const before = await proxyOf(previous)
    const ended = previous.then((live) => live.lock()).catch(() => undefined)
    await Promise.race([ended, new Promise((late) => setTimeout(late, LOCK_WITHIN_MS).unref())])
    await open.lock()
    await ended
    // A simulated service has its requests in the memory of this process.
    const service = sandbox ? 'sandbox' : profile.id
    await sandbox?.close()
    sandbox = null
    try {
      return await startAfter(before, service)
    } catch (thrown) {
      throw asSottoError(thrown)
    }
  }

  let choosing: Promise<void> = Promise.resolve()
  let core: Promise<Core>
  try {
    core = Promise.resolve(await start(await readChosenService(folder.path)))
  } catch (cause) {
    await closeAll()
    throw cause
  }

  /** Uses the core of this moment. @returns the fallback if it didn't start */
  function withCore<Result, Fallback>(
    use: (live: Core) => Result | PromiseLike<Result>,
    fallback: Fallback,
  ): Promise<Result | Fallback> {
    return core.then(use, () => fallback)
  }

  async function call(ask: (core: Core) => Promise<Response>): Promise<Response> {
    const before = locks
    try {
      return await ask(await core)
    } finally {
      changed()
      // This call ran in the core before the lock. Until now it referred to that core, so the collection after the lock missed it.
      if (locks !== before) await overwriteFreedMemory()
    }
  }

  return {
    api: (request, caller) => call((live) => live.api(request, caller)),
    files: (request) => call((live) => live.files(request)),
    asOwner: (request) => call((live) => live.asOwner(request)),
    windows,
    bodies,
    proxyBaseUrl: async () => (await core).proxy.baseUrl,
    localKey: async () => {
      try {
        return (await core).localKey()
      } catch (cause) {
        if (cause instanceof SottoError) return null
        throw cause
      }
    },
    service: () => profile.kind,
    lock: () => lock({ by: 'request' }),
    sleeping: () => withCore((live) => live.sleeping(), undefined),
    renewVerdict: () => withCore((live) => live.renewVerdict(), undefined),
    verifyEnclave: () => withCore((live) => live.verifyEnclave(), undefined),
    prepare,
    serve: async (on) => (await core).serve(on),
    notices: () => withCore((live) => live.notices(), []),
    status: () => withCore((live) => live.status(), null),
    async [Symbol.asyncDispose]() {
      await withCore((live) => live[Symbol.asyncDispose](), undefined)
      await closeAll()
    },
  }
}

function restrictedNotice({ restricted }: DataFolder): Notice[] {
  if (restricted.length === 0) return []
  return [
    {
      id: 'folder-restricted',
      says: msg(
        'Other users had access to {count, plural, one {# file or folder} other {# files or folders}} in the data folder. Sotto removed that access.',
        { count: restricted.length },
      ),
      lasting: false,
    },
  ]
}

function impossible(): never {
  throw new Error('neither a service nor the sandbox')
}

function choiceOf(profile: Profile): ServiceChoice {
  const { id, name, kind, baseUrl } = profile
  return { id, name, kind, baseUrl, ...(isDirect(profile) && { direct: true }) }
}

/** Where a core's proxy listens, and whether it does; undefined if the core didn't start. */
function proxyOf(core: Promise<Core>): Promise<{ port: number | undefined; serving: boolean } | undefined> {
  return core.then(
    (live) => ({ port: live.proxy.port, serving: live.status().serving }),
    () => undefined,
  )
}
