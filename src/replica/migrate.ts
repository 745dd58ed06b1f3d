import { z } from 'zod'
import { SottoError } from '../shared/errors.ts'
import type { Database, Statements } from './database.ts'
import { migrations, type Migration } from './migrations/index.ts'

/** Advisory locks of Sotto in a database: a class, and the purpose. No other program's lock has this class. */
export const LOCK_CLASS = 0x50_77_70
export const locks = { migrate: 1, sweep: 2, retention: 3, payer: 4, team: 5 } as const

const versionRowSchema = z.object({ version: z.int(), additive: z.boolean() })
const oldestSchema = z.object({ version: z.int().nullable() })

/** The schema of a database. */
export interface SchemaState {
  /** 0 if it has none. */
  readonly version: number
  /** Whether replicas of the version before still work with it. */
  readonly additive: boolean
}

export interface MigrateOptions {
  /** By default the migrations of this version of Sotto. */
  readonly known?: readonly Migration[]
}

/**
 * Applies the pending migrations, under an advisory lock, so that several replicas may start at once. All of
 * them are applied, or none.
 * @returns the schema's version before and after
 * @throws {SottoError} database/newer-version – the schema is of a newer version, and this one can't work with
 * it; database/older-replicas – running replicas couldn't continue; database/…
 */
export async function migrate(
  database: Database,
  { known = migrations }: MigrateOptions = {},
): Promise<{ readonly from: number; readonly to: number }> {
  return database.transaction(async (statements) => {
    await statements.execute('SELECT pg_advisory_xact_lock($1, $2)', [LOCK_CLASS, locks.migrate])
    await statements.execute(
      `CREATE TABLE IF NOT EXISTS schema_versions (
        version integer PRIMARY KEY, name text NOT NULL, additive boolean NOT NULL,
        applied_at timestamptz NOT NULL DEFAULT clock_timestamp())`,
    )
    const { version: from } = await requireUsable(statements, known)
    const pending = known.filter(({ version }) => version > from)
    await requireNoOlderReplica(statements, from, pending)
    for (const { version, name, additive, sql } of pending) {
      await statements.execute(sql)
      await statements.execute('INSERT INTO schema_versions (version, name, additive) VALUES ($1, $2, $3)', [
        version,
        name,
        additive,
      ])
    }
    return { from, to: Math.max(from, newestOf(known)) }
  })
}

/**
 * Reads the schema's version and requires that this version of Sotto can work with it: its own version, an
 * older one before a migration, or one additive version ahead.
 * @throws {SottoError} database/newer-version, database/…
 */
export async function requireUsable(
  statements: Statements,
  known: readonly Migration[] = migrations,
): Promise<SchemaState> {
  const [newest] = await statements.query(
    versionRowSchema,
    'SELECT version, additive FROM schema_versions ORDER BY version DESC LIMIT 1',
  )
  const state = newest ?? { version: 0, additive: true }
  const ahead = state.version - newestOf(known)
  if (ahead > 1 || (ahead === 1 && !state.additive)) throw new SottoError('database/newer-version')
  return state
}

/** @returns the newest version of these migrations */
export function newestOf(known: readonly Migration[] = migrations): number {
  return known.at(-1)?.version ?? 0
}

/** A running replica continues only if it's at most one version behind, and that version is additive. */
async function requireNoOlderReplica(
  statements: Statements,
  from: number,
  pending: readonly Migration[],
): Promise<void> {
  const last = pending.at(-1)
  if (from === 0 || !last) return
  const [oldest] = await statements.query(
    oldestSchema,
    'SELECT min(schema_version) AS version FROM replicas WHERE alive_until > clock_timestamp()',
  )
  const version = oldest?.version ?? last.version
  if (version < last.version - 1 || (version < last.version && !last.additive))
    throw new SottoError('database/older-replicas')
}
