import { z } from 'zod'
import { groupSchema, teamBudgetSchema, type Group } from '../../shared/contract/team.ts'
import { SottoError } from '../../shared/errors.ts'
import { sameKeyName } from '../../shared/local-key.ts'
import type { Database, Statements } from '../database.ts'
import { readClock } from '../key-amounts.ts'
import { readTeamAmounts, usedOf } from '../team-amounts.ts'
import { changeTeam, requireId } from './change-team.ts'

const rowSchema = z.object({
  id: z.string(),
  name: z.string(),
  budget: teamBudgetSchema.nullable(),
  self_service: groupSchema.shape.selfService.unwrap().nullable(),
  members: z.coerce.number(),
})

/** What an admin decides about a group. */
export type GroupTerms = Pick<Group, 'name' | 'budget' | 'selfService'>

/** The changed part of it. A budget or self-service of null is removed. */
export interface GroupChange {
  readonly name?: string | undefined
  readonly budget?: NonNullable<Group['budget']> | null | undefined
  readonly selfService?: NonNullable<Group['selfService']> | null | undefined
}

/**
 * Lists groups, in the order of their names.
 * @param id only this one
 * @throws {SottoError} database/…
 */
export async function listGroups(database: Pick<Database, 'query'>, id?: string): Promise<Group[]> {
  const rows = await database.query(
    rowSchema,
    `SELECT id, name, budget, self_service,
       (SELECT count(*) FROM team_members WHERE group_id = team_groups.id AND removed_at IS NULL) AS members
     FROM team_groups WHERE $1::uuid IS NULL OR id = $1 ORDER BY lower(name), id`,
    [id ?? null],
  )
  const { day } = await readClock(database)
  const ids = rows.map((row) => row.id)
  const amounts = await readTeamAmounts(database, [], day, ids)
  return rows.map(({ budget, self_service, ...row }) => ({
    ...row,
    ...(budget && { budget }),
    ...(self_service && { selfService: self_service }),
    used: usedOf(amounts.get(row.id)),
  }))
}

/** @throws {SottoError} team/unknown-group; database/… */
export async function readGroup(database: Pick<Database, 'query'>, id: string): Promise<Group> {
  const [group] = await listGroups(database, requireId(id, 'team/unknown-group'))
  if (!group) throw new SottoError('team/unknown-group')
  return group
}

/** Creates a group. @throws {SottoError} team/group-exists; database/… */
export function addGroup(database: Pick<Database, 'transaction'>, group: GroupTerms): Promise<Group> {
  return changeTeam(database, async (statements) => {
    await requireFreeName(statements, group.name)
    const [added] = await statements.query(
      rowSchema.pick({ id: true }),
      'INSERT INTO team_groups (name, budget, self_service) VALUES ($1, $2, $3) RETURNING id',
      columnsOf(group),
    )
    return readGroup(statements, added?.id ?? '')
  })
}

/**
 * Changes the named fields of a group. Keys that members created before remain, also if its self-service has become narrower.
 * @throws {SottoError} team/unknown-group, team/group-exists; database/…
 */
export function updateGroup(
  database: Pick<Database, 'transaction'>,
  id: string,
  change: GroupChange,
): Promise<Group> {
  return changeTeam(database, async (statements) => {
    const saved = await readGroup(statements, id)
    const { name = saved.name, budget = saved.budget, selfService = saved.selfService } = change
    await requireFreeName(statements, name, id)
    await statements.execute(
      'UPDATE team_groups SET name = $1, budget = $2, self_service = $3 WHERE id = $4',
      [...columnsOf({ name, budget, selfService }), id],
    )
    return readGroup(statements, id)
  })
}

/** Removes a group without members, and its sums. @throws {SottoError} team/unknown-group, team/group-not-empty; database/… */
export function removeGroup(database: Pick<Database, 'transaction'>, id: string): Promise<void> {
  return changeTeam(database, async (statements) => {
    const { members } = await readGroup(statements, id)
    if (members > 0) throw new SottoError('team/group-not-empty')
    // Removed members, whose last requests may still settle. Batches lock them in this order.
    await statements.execute('SELECT 1 FROM team_members WHERE group_id = $1 ORDER BY id FOR NO KEY UPDATE', [
      id,
    ])
    await statements.execute('UPDATE team_members SET group_id = NULL WHERE group_id = $1', [id])
    await statements.execute('DELETE FROM team_days WHERE holder_id = $1', [id])
    await statements.execute('DELETE FROM team_groups WHERE id = $1', [id])
  })
}

function columnsOf({
  name,
  budget,
  selfService,
}: GroupChange & Pick<Group, 'name'>): [string, string | null, string | null] {
  return [name, budget ? JSON.stringify(budget) : null, selfService ? JSON.stringify(selfService) : null]
}

async function requireFreeName(statements: Statements, name: string, except?: string): Promise<void> {
  const groups = await listGroups(statements)
  if (groups.some((group) => group.id !== except && sameKeyName(group.name, name)))
    throw new SottoError('team/group-exists')
}
