import { z } from 'zod'
import { memberSchema, teamBudgetSchema, type Member } from '../../shared/contract/team.ts'
import { SottoError } from '../../shared/errors.ts'
import type { Database, Statements } from '../database.ts'
import { readClock } from '../key-amounts.ts'
import { readTeamAmounts, usedOf } from '../team-amounts.ts'
import { changeTeam, requireId } from './change-team.ts'

const rowSchema = z.object({
  id: z.string(),
  email: z.string(),
  name: z.string().nullable(),
  role: memberSchema.shape.role,
  group_id: z.string().nullable(),
  budget: teamBudgetSchema.nullable(),
  created_at: z.date(),
  last_sign_in_at: z.date().nullable(),
  keys: z.coerce.number(),
})
const idSchema = z.object({ id: z.string() })
const savedSchema = rowSchema.pick({ id: true, role: true, group_id: true, budget: true })

/** What an admin decides about a member. */
export type MemberTerms = Pick<Member, 'role' | 'groupId'> & {
  readonly budget?: Member['budget'] | undefined
}

/** The changed part of it. A budget of null is removed. */
export interface MemberChange {
  readonly role?: Member['role'] | undefined
  readonly groupId?: Member['groupId'] | undefined
  readonly budget?: NonNullable<Member['budget']> | null | undefined
}

/**
 * Lists members who weren't removed, in the order of their addresses.
 * @param id only this one
 * @throws {SottoError} database/…
 */
export async function listMembers(database: Pick<Database, 'query'>, id?: string): Promise<Member[]> {
  const rows = await database.query(
    rowSchema,
    `SELECT id, email, name, role, group_id, budget, created_at, last_sign_in_at,
       (SELECT count(*) FROM local_keys WHERE owner_id = team_members.id AND revoked_at IS NULL) AS keys
     FROM team_members WHERE removed_at IS NULL AND ($1::uuid IS NULL OR id = $1) ORDER BY lower(email)`,
    [id ?? null],
  )
  const { day } = await readClock(database)
  const amounts = await readTeamAmounts(
    database,
    rows.map((row) => row.id),
    day,
  )
  return rows.map(({ group_id, budget, created_at, last_sign_in_at, ...row }) => ({
    ...row,
    groupId: group_id,
    ...(budget && { budget }),
    used: usedOf(amounts.get(row.id)),
    createdAt: created_at.getTime(),
    lastSignInAt: last_sign_in_at?.getTime() ?? null,
  }))
}

/** Reads one member. @throws {SottoError} team/unknown-member; database/… */
export async function readMember(database: Pick<Database, 'query'>, id: string): Promise<Member> {
  const [member] = await listMembers(database, requireId(id, 'team/unknown-member'))
  if (!member) throw new SottoError('team/unknown-member')
  return member
}

/**
 * Admits an address.
 * @throws {SottoError} team/member-exists, team/unknown-group; database/…
 */
export function addMember(
  database: Pick<Database, 'transaction'>,
  { email, role, groupId, budget }: MemberTerms & Pick<Member, 'email'>,
): Promise<Member> {
  return changeTeam(database, async (statements) => {
    if (await findMember(statements, email)) throw new SottoError('team/member-exists')
    await requireGroup(statements, groupId)
    const [added] = await statements.query(
      idSchema,
      'INSERT INTO team_members (email, role, group_id, budget) VALUES ($1, $2, $3, $4) RETURNING id',
      [email, role, groupId, budget ? JSON.stringify(budget) : null],
    )
    return readMember(statements, added?.id ?? '')
  })
}

/**
 * Changes the named fields of a member. If the group changes, the amounts of the member's keys move to the new one, also those of the current
 * periods, so that each group's sum is the sum of its members.
 * @throws {SottoError} team/unknown-member, team/unknown-group, team/last-admin; database/…
 */
export function updateMember(
  database: Pick<Database, 'transaction'>,
  memberId: string,
  change: MemberChange,
): Promise<Member> {
  return changeTeam(database, async (statements) => {
    const saved = await lockMember(statements, memberId)
    const { role = saved.role, groupId = saved.group_id, budget = saved.budget } = change
    await requireGroup(statements, groupId)
    if (saved.role === 'admin' && role !== 'admin') await requireOtherAdmin(statements, saved.id)
    await statements.execute('UPDATE team_members SET role = $2, group_id = $3, budget = $4 WHERE id = $1', [
      saved.id,
      role,
      groupId,
      budget ? JSON.stringify(budget) : null,
    ])
    if (saved.group_id !== groupId)
      await moveAmounts(statements, { memberId: saved.id, from: saved.group_id, to: groupId })
    return readMember(statements, saved.id)
  })
}

/**
 * Removes a member, ends their sessions and revokes their keys. Their amounts remain in the sum of their group.
 * @throws {SottoError} team/unknown-member, team/last-admin; database/…
 */
export function removeMember(database: Pick<Database, 'transaction'>, memberId: string): Promise<void> {
  return changeTeam(database, async (statements) => {
    const { id, role } = await lockMember(statements, memberId)
    if (role === 'admin') await requireOtherAdmin(statements, id)
    await statements.execute('UPDATE team_members SET removed_at = clock_timestamp() WHERE id = $1', [id])
    await statements.execute('DELETE FROM team_sessions WHERE member_id = $1', [id])
    await statements.execute(
      'UPDATE local_keys SET revoked_at = clock_timestamp() WHERE owner_id = $1 AND revoked_at IS NULL',
      [id],
    )
  })
}

/** Finds a member by address, in any letter case. @returns the ID */
export async function findMember(
  statements: Pick<Statements, 'query'>,
  email: string,
): Promise<string | undefined> {
  const [found] = await statements.query(
    idSchema,
    'SELECT id FROM team_members WHERE lower(email) = lower($1) AND removed_at IS NULL',
    [email],
  )
  return found?.id
}

async function lockMember(statements: Statements, id: string): Promise<z.output<typeof savedSchema>> {
  const [row] = await statements.query(
    savedSchema,
    `SELECT id, role, group_id, budget FROM team_members WHERE id = $1 AND removed_at IS NULL FOR NO KEY UPDATE`,
    [requireId(id, 'team/unknown-member')],
  )
  if (!row) throw new SottoError('team/unknown-member')
  return row
}

async function requireGroup(statements: Statements, id: string | null): Promise<void> {
  if (id === null) return
  const found = await statements.query(idSchema, 'SELECT id FROM team_groups WHERE id = $1', [
    requireId(id, 'team/unknown-group'),
  ])
  if (found.length === 0) throw new SottoError('team/unknown-group')
}

/**
 * Moves the amounts of a member's keys from one group to another. The caller has locked the member's row, so that no batch
 * changes their amounts.
 * @param groups IDs; null for no group
 */
async function moveAmounts(
  statements: Pick<Statements, 'execute'>,
  groups: { readonly memberId: string; readonly from: string | null; readonly to: string | null },
): Promise<void> {
  const { memberId, from, to } = groups
  // In the order of batches: the member, and then the groups by ID.
  await statements.execute('SELECT 1 FROM team_groups WHERE id IN ($1, $2) ORDER BY id FOR NO KEY UPDATE', [
    from,
    to,
  ])
  if (from !== null)
    await statements.execute(
      `UPDATE team_days SET spent = team_days.spent - moved.spent, reserved = team_days.reserved - moved.reserved
       FROM team_days AS moved
       WHERE team_days.holder_id = $2 AND moved.holder_id = $1 AND moved.day = team_days.day`,
      [memberId, from],
    )
  if (to !== null)
    await statements.execute(
      `INSERT INTO team_days (holder_id, day, spent, reserved)
       SELECT $2, day, spent, reserved FROM team_days WHERE holder_id = $1
       ON CONFLICT (holder_id, day) DO UPDATE
         SET spent = team_days.spent + excluded.spent, reserved = team_days.reserved + excluded.reserved`,
      [memberId, to],
    )
}

/** The caller is in `changeTeam`, so that two admins can't remove each other. */
async function requireOtherAdmin(statements: Statements, id: string): Promise<void> {
  const others = await statements.query(
    idSchema,
    `SELECT id FROM team_members WHERE role = 'admin' AND removed_at IS NULL AND id <> $1 LIMIT 1`,
    [id],
  )
  if (others.length === 0) throw new SottoError('team/last-admin')
}
