import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import type { Database } from '../../src/replica/database.ts'
import { amountSchema } from '../../src/replica/ledger-operations.ts'
import { createKey } from '../../src/replica/local-keys.ts'
import { newestOf } from '../../src/replica/migrate.ts'
import type { TeamRole } from '../../src/shared/contract/team.ts'
import type { Budget, KeyLimits } from '../../src/shared/key-limits.ts'

const idRow = z.object({ id: z.string() })
const usedRow = z.object({ spent: amountSchema, reserved: amountSchema })
export type Used = z.output<typeof usedRow>

const textOf = (budget: Budget | undefined): string | null =>
  budget ? JSON.stringify({ picoUsd: String(budget.picoUsd), period: budget.period }) : null

async function insert(database: Database, sql: string, values: (string | null)[]): Promise<string> {
  const [row] = await database.query(idRow, `${sql} RETURNING id`, values)
  if (!row) throw new Error('Nothing was inserted.')
  return row.id
}

export function insertGroup(database: Database, budget?: Budget): Promise<string> {
  return insert(database, 'INSERT INTO team_groups (name, budget) VALUES ($1, $2)', [
    randomUUID(),
    textOf(budget),
  ])
}

export function insertMember(
  database: Database,
  {
    groupId = null,
    budget,
    role = 'member',
    email = `${randomUUID()}@example.com`,
  }: { groupId?: string | null; budget?: Budget | undefined; role?: TeamRole; email?: string } = {},
): Promise<string> {
  return insert(
    database,
    'INSERT INTO team_members (email, role, group_id, budget) VALUES ($1, $2, $3, $4)',
    [email, role, groupId, textOf(budget)],
  )
}

export function insertOwnedKey(database: Database, ownerId: string, limits: KeyLimits = {}): Promise<string> {
  const name = randomUUID()
  return createKey(database, { name, hash: (name + name).replaceAll('-', ''), limits, ownerId })
}

/** Adds the row of a running replica. */
export async function insertReplica(database: Database, id: string, version = newestOf()): Promise<void> {
  await database.execute(
    `INSERT INTO replicas (id, name, schema_version, alive_until)
     VALUES ($1, 'test', $2, clock_timestamp() + interval '1 hour')`,
    [id, version],
  )
}

/** The amounts of a member or a group on all days. */
export async function usedOf(database: Database, holderId: string): Promise<Used> {
  const [used] = await database.query(
    usedRow,
    `SELECT coalesce(sum(spent), 0) AS spent, coalesce(sum(reserved), 0) AS reserved
     FROM team_days WHERE holder_id = $1`,
    [holderId],
  )
  if (!used) throw new Error('There are no sums.')
  return used
}

/** Days whose sums differ from the sums of the keys. */
export async function wrongDays(database: Database): Promise<unknown[]> {
  return database.query(
    z.unknown(),
    `WITH expected AS (
       SELECT holder_id, day, sum(spent) AS spent, sum(reserved) AS reserved FROM (
         SELECT unnest(ARRAY[team_members.id, group_id]) AS holder_id, day, spent, reserved
         FROM key_days JOIN local_keys ON local_keys.id = key_id JOIN team_members ON team_members.id = owner_id
       ) AS each WHERE holder_id IS NOT NULL GROUP BY holder_id, day)
     SELECT * FROM expected FULL JOIN team_days USING (holder_id, day)
     WHERE coalesce(expected.spent, 0) <> coalesce(team_days.spent, 0)
       OR coalesce(expected.reserved, 0) <> coalesce(team_days.reserved, 0)`,
  )
}
