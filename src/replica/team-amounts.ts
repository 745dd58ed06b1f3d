import { z } from 'zod'
import { requireCover } from '../core/payments/index.ts'
import { usableBudget } from '../shared/budget-use.ts'
import { teamBudgetSchema } from '../shared/contract/team.ts'
import type { ErrorCode } from '../shared/error-codes.ts'
import { SottoError } from '../shared/errors.ts'
import type { Budget } from '../shared/key-limits.ts'
import type { Statements } from './database.ts'
import { firstDays, readSums, sumColumns, SUMS, type PeriodSums } from './period-sums.ts'

const holderSchema = z.object({
  id: z.string(),
  kind: z.enum(['member', 'group']),
  budget: teamBudgetSchema
    .transform(({ picoUsd, period }): Budget => ({ picoUsd: BigInt(picoUsd), period }))
    .nullable(),
  group_id: z.string().nullable(),
  ...sumColumns,
})

/** The budget and the amounts of a member or a group, in pico-USD. They are exact while its row is locked. */
export interface TeamAmounts {
  readonly kind: 'member' | 'group'
  readonly budget: Budget | null
  /** Of a member; null for a group. */
  readonly groupId: string | null
  readonly sums: PeriodSums
}

/** The codes of a budget that doesn't cover a request. */
const refusals: Readonly<Record<TeamAmounts['kind'], ErrorCode>> = {
  member: 'budget/member-exceeded',
  group: 'budget/group-exceeded',
}

/** Locks members, and then their groups. The caller has locked the ledgers of all keys that it changes. */
export async function lockTeam(
  statements: Pick<Statements, 'execute'>,
  memberIds: readonly string[],
): Promise<void> {
  await statements.execute('SELECT sotto_lock_team($1::uuid[])', [memberIds])
}

/**
 * Reads members and their groups, by ID.
 * @param groupIds more groups
 * @param day of the database's clock, in days since 1970-01-01
 * @throws {SottoError} database/…
 */
export async function readTeamAmounts(
  statements: Pick<Statements, 'query'>,
  memberIds: readonly string[],
  day: number,
  groupIds: readonly string[] = [],
): Promise<Map<string, TeamAmounts>> {
  if (memberIds.length + groupIds.length === 0) return new Map()
  const rows = await statements.query(
    holderSchema,
    `SELECT holders.id, kind, budget, group_id, ${SUMS} FROM (
       SELECT id, 'member' AS kind, budget, group_id FROM team_members WHERE id = ANY($1::uuid[])
       UNION ALL SELECT id, 'group', budget, NULL FROM team_groups
         WHERE id = ANY($5::uuid[]) OR id IN (SELECT group_id FROM team_members WHERE id = ANY($1::uuid[]))
     ) AS holders LEFT JOIN team_days ON holder_id = holders.id
     GROUP BY holders.id, kind, budget, group_id`,
    [memberIds, ...firstDays(day), groupIds],
  )
  return new Map(
    rows.map(({ id, kind, budget, group_id, ...sums }) => [
      id,
      { kind, budget, groupId: group_id, sums: readSums(sums) },
    ]),
  )
}

/** A request at most, in pico-USD, and the day on which it's reserved. */
interface PossibleCharge {
  readonly most: bigint | 'unknown'
  readonly day: number
}

/** @throws {SottoError} budget/exceeded, budget/price-unknown */
export function requireBudget(
  budget: Budget | undefined,
  {
    allowUnpriced,
    sums,
    day,
    most,
  }: PossibleCharge & { readonly allowUnpriced: boolean; readonly sums: PeriodSums },
): void {
  if (!budget) return
  const usable = usableBudget({ budget })
  const today = { day, resetDay: day }
  requireCover({ budget, allowUnpriced, usable, ...sums[budget.period], today }, most)
}

/**
 * Requires that the budget of a member or a group covers a request. No request of unknown price is covered, because one of
 * them can exceed the budget.
 * @throws {SottoError} budget/member-exceeded, budget/group-exceeded, budget/team-price-unknown
 */
export function requireTeamBudget({ kind, budget, sums }: TeamAmounts, charge: PossibleCharge): void {
  try {
    requireBudget(budget ?? undefined, { ...charge, allowUnpriced: false, sums })
  } catch (thrown) {
    if (!(thrown instanceof SottoError)) throw thrown
    // The amounts of a whole group aren't for the tool of one member.
    throw new SottoError(thrown.code === 'budget/exceeded' ? refusals[kind] : 'budget/team-price-unknown')
  }
}

/** The used part of a budget in its current period, in total without a budget. Amounts are decimal text. */
export function usedOf(amounts: TeamAmounts | undefined): {
  readonly spent: string
  readonly reserved: string
} {
  const used = amounts?.sums[amounts.budget?.period ?? 'total']
  return { spent: String(used?.spent ?? 0n), reserved: String(used?.reserved ?? 0n) }
}
