import type { Statements } from '../database.ts'

/**
 * Moves the amounts of a member's keys from one group to another. The caller has locked the member's row, so that no batch
 * changes their amounts.
 * @param groups IDs; null for no group
 */
export async function moveAmounts(
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
