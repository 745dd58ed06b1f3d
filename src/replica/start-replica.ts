import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { createProxyCore, type SharedLedger } from '../core/proxy-core.ts'
import { disableCoreDumps } from '../host/core-dumps.ts'
import { startLoneSandbox } from '../host/lone-sandbox.ts'
import { createLog } from '../host/log/create-log.ts'
import { createOutboundFetch } from '../host/outbound-fetch.ts'
import { readVersion } from '../host/application-root.ts'
import { builtInTrust, presetProfiles } from '../host/resources.ts'
import type { Settings } from '../host/settings.ts'
import { BodyBudget } from '../shared/body-budget.ts'
import { isErrorCode } from '../shared/error-codes.ts'
import { SottoError } from '../shared/errors.ts'
import { msg } from '../shared/localized-text.ts'
import type { Log } from '../shared/log-events.ts'
import type { Profile } from '../shared/profile.ts'
import type { RemoteAccess } from '../shared/remote-access.ts'
import type { TrustSet } from '../shared/trust.ts'
import { watchBudgets } from './budget-watch.ts'
import type { DatabaseAddress } from './database-address.ts'
import { createDatabase } from './database.ts'
import { startKeySnapshot } from './key-snapshot.ts'
import { startLease, type Lease } from './leases.ts'
import { createLedger } from './ledger.ts'
import { migrate } from './migrate.ts'
import { gaugesOf } from './replica-gauges.ts'
import { deleteAllOldRecords } from './records.ts'
import type { ReplicaSettings } from './replica-settings.ts'
import type { OwnRequests } from './running-requests.ts'
import { createTeamRecords, readTeamApiKey, unlockTeamVault } from './team-records.ts'

/** A migration may rewrite a table. */
const MIGRATION_MS = 10 * 60_000
/** A poll of the keys that takes longer doesn't confirm them in time. */
const POLL_TIMEOUT_MS = 900
const RETENTION_MS = 3_600_000

/** One running replica. */
export interface Replica extends AsyncDisposable {
  /** Of the local API on loopback, with `/v1`. */
  readonly baseUrl: string
  /** The address beyond loopback; null without one. */
  readonly remoteAccess: RemoteAccess | null
  readonly service: Profile['kind']
}

/**
 * Applies pending migrations of a database.
 * @throws {SottoError} database/…
 */
export async function migrateDatabase(
  address: DatabaseAddress,
): Promise<{ readonly from: number; readonly to: number }> {
  await using database = createDatabase({ address, connections: 1, statementMs: MIGRATION_MS })
  return await migrate(database)
}

/**
 * Starts the proxy of one replica on a shared database: without a window, a data folder, chats and jobs.
 * @throws {SottoError} database/…, profile/unknown, proxy/port-taken, remote-access/…
 */
export async function startReplica(settings: Settings, replica: ReplicaSettings): Promise<Replica> {
  const stack = new Cleanup()
  try {
    return await startParts(settings, replica, stack)
  } catch (thrown) {
    await stack[Symbol.asyncDispose]()
    throw thrown
  }
}

async function startParts(settings: Settings, replica: ReplicaSettings, stack: Cleanup): Promise<Replica> {
  await disableCoreDumps()
  const outbound = createOutboundFetch()
  stack.defer(() => outbound.close())
  const journal = settings.log && (await createLog(settings.log, settings.dataDir))
  const log = journal?.log
  stack.defer(async () => {
    log?.('sotto/stopped', {})
    await journal?.close()
  })
  await migrateDatabase(replica.address)

  const id = randomUUID()
  const name = `${hostname()}/${id.slice(0, 8)}`
  const database = stack.use(createDatabase({ address: replica.address, name: `sotto ${id.slice(0, 8)}` }))
  // Its own connections, so that a batch that waits for a lock doesn't delay the news of a revocation.
  const keyDatabase = stack.use(
    createDatabase({
      address: replica.address,
      connections: 2,
      statementMs: POLL_TIMEOUT_MS,
      connectMs: POLL_TIMEOUT_MS,
      name: `sotto keys ${id.slice(0, 8)}`,
    }),
  )
  const ownRequests: OwnRequests = new Map()
  const lease = stack.use(
    await startLease({
      database,
      replicaId: id,
      name,
      ownRequests,
      onSwept: (requests) => log?.('replica/charged', { requests }),
    }),
  )
  let endRequests = (_keyId: string): void => undefined
  const keys = stack.use(
    await startKeySnapshot({
      database: keyDatabase,
      monotonic: () => performance.now(),
      graceMs: replica.graceMs,
      onRevoked: (keyId) => endRequests(keyId),
      onPoll: availabilityLog(log),
    }),
  )
  const ledger = stack.use(
    createLedger({
      database,
      replicaId: id,
      now: Date.now,
      ownRequests,
      requireUsable: () => lease.requireUsable(),
      mayGoOn: (keyId, isPrivate) => isPrivate && keys.mayGoOn(keyId),
      onLost: (code) => log?.('replica/receipt-lost', { code: isErrorCode(code) ? code : 'database/failed' }),
    }),
  )
  const retention = setInterval(
    () => void deleteAllOldRecords(database, replica.retentionDays).catch(() => undefined),
    RETENTION_MS,
  )
  stack.defer(() => clearInterval(retention))
  const folder = await mkdtemp(join(tmpdir(), 'sotto-replica-'))
  stack.defer(() => rm(folder, { recursive: true, force: true }))
  const { profile, trust } = await serviceOf(replica.service, folder, stack)
  const unlocked = replica.vaultKey && (await unlockTeamVault(database, replica.vaultKey))
  const team =
    unlocked && stack.use(await createTeamRecords({ database, team: unlocked, profile, now: Date.now, log }))
  const apiKey = unlocked && (await readTeamApiKey(unlocked, profile.id))
  const shared: SharedLedger = {
    findKey: (hash) => keys.find(hash),
    keys: () => keys.list(),
    budgets: ledger.budgets,
    putReceipt: (receipt) => ledger.receipts.put(receipt),
    budgetsLeft: stack.use(watchBudgets(database, Date.now)).budgetsLeft,
    state: {
      limits: { ...ledger.limits, confirmKeys: () => keys.confirm() },
      isReady: () => keys.isCurrent() && isUsable(lease),
      gauges: () => gaugesOf({ database, ledger, lease }),
    },
  }
  const bodies = new BodyBudget({ bytes: settings.bodyMemoryBytes })
  if (replica.admin) {
    // Loaded only with an admin page, because it loads the client of the identity provider.
    const { startAdminServer } = await import('./team/admin-server.ts')
    // Connections of its own, so that large lists and exports don't delay the ledger of requests.
    const adminDatabase = stack.use(
      createDatabase({ address: replica.address, connections: 2, name: `sotto admin ${id.slice(0, 8)}` }),
    )
    stack.use(
      await startAdminServer({
        database: adminDatabase,
        settings: replica.admin,
        bodies,
        fetch: outbound.fetch,
      }),
    )
  }
  const core = stack.use(
    await createProxyCore({
      profile,
      fetch: outbound.fetch,
      now: Date.now,
      version: await readVersion(),
      trust,
      account: replica.account ?? (apiKey ? { apiKey } : undefined),
      shared,
      team,
      folder,
      proxy: {
        port: settings.port,
        mayMove: settings.portMayMove || settings.port === 0,
        allow: settings.allow,
        bodies,
        remoteAddress: settings.remoteAddress,
      },
      log,
    }),
  )
  endRequests = (keyId) => core.proxy.endRequests(keyId)
  log?.('sotto/started', { service: profile.kind, vault: 'memory', vaultState: 'open' })
  void core.prepare()
  return {
    baseUrl: core.proxy.baseUrl,
    remoteAccess: core.remoteAccess,
    service: profile.kind,
    [Symbol.asyncDispose]: () => stack[Symbol.asyncDispose](),
  }
}

/** Ends parts in the reverse order of their start. The oldest supported Node.js has no AsyncDisposableStack. */
class Cleanup implements AsyncDisposable {
  readonly #work: (() => unknown)[] = []

  defer(work: () => unknown): void {
    this.#work.push(work)
  }

  use<Part extends AsyncDisposable | Disposable>(part: Part): Part {
    this.defer(() => (Symbol.asyncDispose in part ? part[Symbol.asyncDispose]() : part[Symbol.dispose]()))
    return part
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (let work = this.#work.pop(); work; work = this.#work.pop()) await work()
  }
}

/** @throws {SottoError} profile/unknown */
async function serviceOf(
  service: string,
  folder: string,
  stack: Cleanup,
): Promise<{ readonly profile: Profile; readonly trust: () => Promise<TrustSet> }> {
  if (service === 'sandbox') {
    const sandbox = await startLoneSandbox({
      folder: join(folder, 'sandbox'),
      lightning: 'simulated',
      serviceEnclave: true,
    })
    stack.defer(() => sandbox.close())
    return { profile: sandbox.profile, trust: () => sandbox.trust() }
  }
  const profile = (await presetProfiles()).find(({ id }) => id === service)
  if (!profile)
    throw new SottoError('profile/unknown', {
      detail: msg('The setting {name} is “{service}”.', { name: 'SOTTO_SERVICE', service }),
    })
  return { profile, trust: builtInTrust }
}

function isUsable(lease: Lease): boolean {
  try {
    lease.requireUsable()
    return true
  } catch {
    return false
  }
}

/** Logs when the database stops to answer, and when it answers again. */
function availabilityLog(log: Log | undefined): (failure: string | undefined) => void {
  let available = true
  return (failure) => {
    if (available === (failure === undefined)) return
    available = failure === undefined
    log?.('replica/database', {
      available,
      code: failure !== undefined && isErrorCode(failure) ? failure : undefined,
    })
  }
}
