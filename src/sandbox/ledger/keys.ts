import { alphanumerics, type RandomBytes } from '../random.ts'
import { integer, small, smallOrNull, text, textOrNull, type LedgerDatabase, type Row } from './database.ts'

export const resetPeriods = ['daily', 'weekly', 'monthly'] as const
export type ResetPeriod = (typeof resetPeriods)[number]

/**
 * When a period that runs at `now` ends: the next midnight, Monday or first of a month, UTC.
 * @param now Unix ms
 */
function periodEnd(period: ResetPeriod, now: number): number {
  const date = new Date(now)
  const [year, month, day] = [date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()]
  switch (period) {
    case 'daily':
      return Date.UTC(year, month, day + 1)
    // Sunday is 0: it is the last day of its week.
    case 'weekly':
      return Date.UTC(year, month, day + 7 - ((date.getUTCDay() + 6) % 7))
    case 'monthly':
      return Date.UTC(year, month + 1, 1)
  }
}

function resetPeriodOf(text: string | null): ResetPeriod | null {
  return resetPeriods.find((period) => period === text) ?? null
}

/** Amounts are 10^-12 USD, times Unix ms. */
export interface ApiKey {
  /** 24 hexadecimal digits. */
  readonly id: string
  readonly creditId: string
  readonly name: string
  /** `sk-` and 22 alphanumerics. */
  readonly apiKey: string
  /** Null: no cap. */
  readonly usageLimit: bigint | null
  readonly periodUsage: bigint
  readonly totalUsage: bigint
  readonly resetPeriod: ResetPeriod | null
  readonly resetAt: number | null
  readonly expireAt: number | null
  readonly createdAt: number
  readonly updatedAt: number
  readonly deletedAt: number | null
}

/** The members of a key that decide about access. */
interface KeyIdentity {
  readonly id: string
  readonly creditId: string
  readonly expireAt: number | null
  readonly revoked: boolean
}

export interface KeyFields {
  readonly name: string
  readonly usageLimit: bigint | null
  readonly resetPeriod: ResetPeriod | null
  readonly expireAt: number | null
}

/** API keys. The spending of a key in its period resets when the clock passes the period's end. */
export class ApiKeys {
  readonly #db: LedgerDatabase
  readonly #random: RandomBytes
  /** Every request asks for its key. What could change an answer clears them; the ledger has no other writer. */
  readonly #identities = new Map<string, KeyIdentity>()
  readonly #identity
  readonly #byValue
  readonly #byId
  readonly #renew
  readonly #spend

  constructor(db: LedgerDatabase, random: RandomBytes) {
    this.#db = db
    this.#random = random
    this.#identity = db.statement(
      'SELECT id, credit_id, expire_at, deleted_at FROM api_key WHERE api_key = ?',
    )
    this.#byValue = db.statement('SELECT * FROM api_key WHERE api_key = ?')
    this.#byId = db.statement('SELECT * FROM api_key WHERE id = ?')
    this.#renew = db.statement('UPDATE api_key SET period_usage = 0, reset_at = ? WHERE id = ?')
    this.#spend = db.statement(
      'UPDATE api_key SET period_usage = period_usage + ?, total_usage = total_usage + ? WHERE id = ?',
    )
  }

  /** @returns undefined if the account already has a key of that name */
  create(creditId: string, fields: KeyFields, now: number): ApiKey | undefined {
    if (this.#named(creditId, fields.name)) return undefined
    const id = this.#random(12).toString('hex')
    const resetAt = fields.resetPeriod && periodEnd(fields.resetPeriod, now)
    this.#db
      .statement(
        `
      INSERT INTO api_key (id, credit_id, name, api_key, usage_limit, reset_period, reset_at, expire_at, created_at, updated_at)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      )
      .run(
        id,
        creditId,
        fields.name,
        `sk-${alphanumerics(this.#random, 22)}`,
        fields.usageLimit,
        fields.resetPeriod,
        resetAt,
        fields.expireAt,
        now,
        now,
      )
    return this.find(id, now)
  }

  /** @returns undefined if the key doesn't exist; finds revoked keys too */
  identify(apiKey: string): KeyIdentity | undefined {
    const known = this.#identities.get(apiKey)
    if (known) return known
    const row = this.#identity.get(apiKey)
    if (!row) return undefined
    const identity = {
      id: text(row, 'id'),
      creditId: text(row, 'credit_id'),
      expireAt: smallOrNull(row, 'expire_at'),
      revoked: row['deleted_at'] !== null,
    }
    // A transaction may still be rolled back.
    if (!this.#db.isTransaction) this.#identities.set(apiKey, identity)
    return identity
  }

  /** The same, whole. */
  findByValue(apiKey: string, now: number): ApiKey | undefined {
    return this.#current(this.#byValue.get(apiKey), now)
  }

  find(id: string, now: number): ApiKey | undefined {
    return this.#current(this.#byId.get(id), now)
  }

  /** Oldest first. */
  list(creditId: string, revokedToo: boolean, now: number): ApiKey[] {
    const rows = this.#db
      .statement('SELECT * FROM api_key WHERE credit_id = ? AND (deleted_at IS NULL OR ?) ORDER BY rowid')
      .all(creditId, revokedToo ? 1 : 0)
    return rows.flatMap((row) => this.#current(row, now) ?? [])
  }

  /**
   * Changes the fields that are present. Another reset period resets the spending. @returns `name-taken` if
   * another key has the name
   */
  update(key: ApiKey, changes: Partial<KeyFields>, now: number): ApiKey | 'name-taken' {
    const namesake = changes.name === undefined ? undefined : this.#named(key.creditId, changes.name)
    if (namesake !== undefined && namesake !== key.id) return 'name-taken'
    this.#identities.clear()
    const wanted = { ...key, ...changes }
    const startsPeriod = wanted.resetPeriod !== key.resetPeriod
    this.#db
      .statement(
        'UPDATE api_key SET name = ?, usage_limit = ?, period_usage = ?, reset_period = ?, reset_at = ?, expire_at = ?, updated_at = ? WHERE id = ?',
      )
      .run(
        wanted.name,
        wanted.usageLimit,
        startsPeriod ? 0n : key.periodUsage,
        wanted.resetPeriod,
        startsPeriod ? wanted.resetPeriod && periodEnd(wanted.resetPeriod, now) : key.resetAt,
        wanted.expireAt,
        now,
        key.id,
      )
    return this.find(key.id, now) ?? key
  }

  /** It cannot be undone. */
  revoke(id: string, now: number): void {
    this.#identities.clear()
    this.#db
      .statement('UPDATE api_key SET deleted_at = ?, updated_at = ? WHERE id = ? AND deleted_at IS NULL')
      .run(now, now, id)
  }

  spend(id: string, picoUsd: bigint): void {
    this.#spend.run(picoUsd, picoUsd, id)
  }

  #named(creditId: string, name: string): string | undefined {
    const row = this.#db
      .statement('SELECT id FROM api_key WHERE credit_id = ? AND name = ?')
      .get(creditId, name)
    return row && text(row, 'id')
  }

  #current(row: Row | undefined, now: number): ApiKey | undefined {
    if (!row) return undefined
    const key = keyOf(row)
    if (key.resetPeriod === null || key.resetAt === null || now < key.resetAt) return key
    const resetAt = periodEnd(key.resetPeriod, now)
    this.#renew.run(resetAt, key.id)
    return { ...key, periodUsage: 0n, resetAt }
  }
}

function keyOf(row: Row): ApiKey {
  return {
    id: text(row, 'id'),
    creditId: text(row, 'credit_id'),
    name: text(row, 'name'),
    apiKey: text(row, 'api_key'),
    usageLimit: row['usage_limit'] === null ? null : integer(row, 'usage_limit'),
    periodUsage: integer(row, 'period_usage'),
    totalUsage: integer(row, 'total_usage'),
    resetPeriod: resetPeriodOf(textOrNull(row, 'reset_period')),
    resetAt: smallOrNull(row, 'reset_at'),
    expireAt: smallOrNull(row, 'expire_at'),
    createdAt: small(row, 'created_at'),
    updatedAt: small(row, 'updated_at'),
    deletedAt: smallOrNull(row, 'deleted_at'),
  }
}
