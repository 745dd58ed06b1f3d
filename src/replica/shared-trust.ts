import { z } from 'zod'
import type { CollateralMemory, ReleaseMemory } from '../core/gateway/channel/index.ts'
import { replaces } from '../core/storage/collateral.ts'
import type { Store } from '../core/storage/index.ts'
import {
  isTrusted,
  noRelease,
  releaseRecordSchema,
  withOlder,
  withTrust,
  withVerdict,
  type ReleaseRecord,
} from '../core/storage/release-record.ts'
import { collateralRecordSchema, type CollateralRecord } from '../shared/collateral-record.ts'
import { SottoError } from '../shared/errors.ts'
import type { Verdict } from '../shared/verdict.ts'
import { bytea, type DataKey } from './data-key.ts'
import type { Database, Statements } from './database.ts'

const REFRESH_MS = 5_000

const enclaveRowSchema = z.object({ host: z.string(), body: bytea })
const collateralRowSchema = z.object({ name: collateralRecordSchema.shape.name, body: bytea })
const collateralSchema = collateralRecordSchema.omit({ name: true })
const settingRowSchema = z.object({ name: z.string(), body: bytea })
const settingSchema = z.object({ value: z.string() })

const enclavePlace = (host: string): string => `enclaves/body/${host}`
const collateralPlace = (name: string): string => `collateral/body/${name}`
const settingPlace = (name: string): string => `profile_settings/body/${name}`

export interface SharedTrustOptions {
  readonly database: Database
  readonly key: DataKey
  /** Whether a release that was never accepted is refused, by the settings. */
  readonly asksBeforeNew: (settings: Store['settings']) => boolean
}

/**
 * What replicas know together about enclaves: accepted releases, the newest statements of AMD and Intel, and the team's
 * pins. Reads answer from memory, which is refreshed every 5 seconds. A verdict is recorded by comparing it with the
 * database again, under a lock of its row. So a replica with old data can't accept what another one has ruled out.
 */
export class SharedTrust implements Disposable {
  readonly #options: SharedTrustOptions
  readonly #releases = new Map<string, ReleaseRecord>()
  readonly #collateral = new Map<string, CollateralRecord>()
  #settings = new Map<string, string>()
  readonly #listeners = new Set<() => void>()
  readonly #refreshing: NodeJS.Timeout

  private constructor(options: SharedTrustOptions) {
    this.#options = options
    this.#refreshing = setInterval(() => {
      // The database is away. A verdict can't be recorded until it's back.
      this.refresh().catch(() => undefined)
    }, REFRESH_MS)
    this.#refreshing.unref()
  }

  /** @throws {SottoError} database/… */
  static async create(options: SharedTrustOptions): Promise<SharedTrust> {
    const trust = new SharedTrust(options)
    try {
      await trust.refresh()
      return trust
    } catch (thrown) {
      trust[Symbol.dispose]()
      throw thrown
    }
  }

  readonly releases: ReleaseMemory = {
    newest: (host) => this.#releaseOf(host).newest,
    olderAccepted: (host, digest) => this.#releaseOf(host).acceptedOlder.includes(digest),
    asksBeforeNew: () => this.#options.asksBeforeNew(this.settings),
    trusted: (host, release) => isTrusted(this.#releaseOf(host), release),
    record: (verdict) => this.#record(verdict),
  }

  readonly collateral: CollateralMemory = {
    newest: () => [...this.#collateral.values()],
    record: (records) => this.#recordCollateral(records),
  }

  /**
   * Pins, whether new releases are approved, and the source of fresh evidence. `set` returns at once, and saves in the
   * background.
   */
  readonly settings: Store['settings'] = {
    get: (name) => this.#settings.get(name) ?? null,
    set: (name, value) => {
      this.#settings.set(name, value)
      // It isn't about a decision of a person, so a replica without the database may lose it.
      this.save(name, value).catch(() => undefined)
    },
  }

  /** Calls the listener when another process has changed a setting, so that verdicts under the old ones end. */
  onSettingsChange(listener: () => void): void {
    this.#listeners.add(listener)
  }

  /** Saves a setting for all replicas, which use it within 5 seconds. @throws {SottoError} database/… */
  async save(name: string, value: string): Promise<void> {
    const { database, key } = this.#options
    await database.execute(
      'INSERT INTO profile_settings (name, body) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET body = excluded.body',
      [name, key.seal(settingPlace(name), { value })],
    )
    this.#settings.set(name, value)
  }

  /** Consents to an older release for all replicas. @throws {SottoError} database/… */
  acceptOlder(host: string, digest: string): Promise<void> {
    return this.#change(host, (record) => withOlder(record, digest))
  }

  /** Trusts a release, as `releaseKey` names it, for all replicas. @throws {SottoError} database/… */
  trustRelease(host: string, release: string): Promise<void> {
    return this.#change(host, (record) => withTrust(record, release))
  }

  /** Reads the records of other replicas. @throws {SottoError} database/… */
  async refresh(): Promise<void> {
    const { database, key } = this.#options
    for (const { host, body } of await database.query(enclaveRowSchema, 'SELECT host, body FROM enclaves'))
      this.#releases.set(host, key.unseal(releaseRecordSchema, enclavePlace(host), body))
    for (const record of await readCollateral(database, key)) this.#collateral.set(record.name, record)
    const rows = await database.query(settingRowSchema, 'SELECT name, body FROM profile_settings')
    const before = this.#settings
    this.#settings = new Map(
      rows.map(({ name, body }) => [name, key.unseal(settingSchema, settingPlace(name), body).value]),
    )
    const changed = [...this.#settings].some(([name, value]) => before.get(name) !== value)
    if (changed || before.size !== this.#settings.size) for (const listener of this.#listeners) listener()
  }

  [Symbol.dispose](): void {
    clearInterval(this.#refreshing)
  }

  #releaseOf(host: string): ReleaseRecord {
    return this.#releases.get(host) ?? noRelease
  }

  /** @throws {SottoError} attestation/older-release – another replica has accepted a newer release */
  async #record(verdict: Verdict): Promise<void> {
    const { release, enclaveHost } = verdict
    await this.#change(enclaveHost, (record) => {
      this.#releases.set(enclaveHost, record)
      const { newest, acceptedOlder } = record
      if (
        release &&
        newest &&
        newest.digest !== release.digest &&
        (release.loggedAt ?? 0) < newest.logTime &&
        !acceptedOlder.includes(release.digest)
      )
        throw new SottoError('attestation/older-release')
      return withVerdict(record, verdict)
    })
  }

  async #change(host: string, change: (record: ReleaseRecord) => ReleaseRecord): Promise<void> {
    const { database, key } = this.#options
    const changed = await database.transaction(async (statements) => {
      await statements.execute('INSERT INTO enclaves (host, body) VALUES ($1, $2) ON CONFLICT DO NOTHING', [
        host,
        key.seal(enclavePlace(host), noRelease),
      ])
      const [row] = await statements.query(
        enclaveRowSchema,
        'SELECT host, body FROM enclaves WHERE host = $1 FOR UPDATE',
        [host],
      )
      if (!row) throw new SottoError('database/damaged')
      const before = key.unseal(releaseRecordSchema, enclavePlace(host), row.body)
      const after = change(before)
      if (after !== before)
        await statements.execute('UPDATE enclaves SET body = $2 WHERE host = $1', [
          host,
          key.seal(enclavePlace(host), after),
        ])
      return after
    })
    this.#releases.set(host, changed)
  }

  async #recordCollateral(records: readonly CollateralRecord[]): Promise<void> {
    const newer = (record: CollateralRecord): boolean => replaces(record, this.#collateral.get(record.name))
    if (!records.some(newer)) return
    const { database, key } = this.#options
    const stored = await database.transaction(async (statements) => {
      // One writer at a time. Readers continue.
      await statements.execute('LOCK TABLE collateral IN EXCLUSIVE MODE')
      const known = new Map((await readCollateral(statements, key)).map((record) => [record.name, record]))
      for (const record of records) {
        if (!replaces(record, known.get(record.name))) continue
        known.set(record.name, record)
        const { name, ...body } = record
        await statements.execute(
          'INSERT INTO collateral (name, body) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET body = excluded.body',
          [name, key.seal(collateralPlace(name), body)],
        )
      }
      return known
    })
    for (const [name, record] of stored) this.#collateral.set(name, record)
  }
}

async function readCollateral(statements: Statements, key: DataKey): Promise<CollateralRecord[]> {
  const rows = await statements.query(collateralRowSchema, 'SELECT name, body FROM collateral')
  return rows.map(({ name, body }) => ({
    name,
    ...key.unseal(collateralSchema, collateralPlace(name), body),
  }))
}
