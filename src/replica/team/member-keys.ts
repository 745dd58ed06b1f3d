import { z } from 'zod'
import { hashOfLocalKey, newLocalKey } from '../../core/gateway/proxy/index.ts'
import { daysOf } from '../../core/payments/index.ts'
import type { Group, TeamKey } from '../../shared/contract/team.ts'
import { SottoError } from '../../shared/errors.ts'
import { readKeyLimits, writeKeyLimits, type KeyLimitsText } from '../../shared/key-limits.ts'
import { widenings } from '../../shared/key-widening.ts'
import type { Database, Statements } from '../database.ts'
import { readClock } from '../key-amounts.ts'
import { insertKey, listKeysWithAmounts, type KeyWithAmounts, type NewKey } from '../local-keys.ts'
import { changeTeam, requireId } from './change-team.ts'
import { readGroup } from './groups.ts'
import { findMember, readMember } from './members.ts'

/** The days that PostgreSQL's integers can name. */
const FIRST_DAY = -(2 ** 31)
const LAST_DAY = 2 ** 31 - 1

/**
 * Lists keys, the newest first.
 * @param ownerId only the keys of this member
 * @throws {SottoError} database/…
 */
export async function listTeamKeys(
  database: Pick<Database, 'query'>,
  ownerId: string | undefined,
): Promise<TeamKey[]> {
  const keys = await listKeysWithAmounts(database, ownerId)
  const { now } = await readClock(database)
  return keys.map((key) => viewOf(key, now)).reverse()
}

/** A key that a member or an admin creates. */
export interface MemberKey {
  readonly memberId: string
  readonly name: string
  readonly limits: KeyLimitsText
}

/**
 * Creates a key of a member.
 * @param selfService whether the member creates it, so that the group's self-service limits it
 * @returns the key, and its secret, which is stored nowhere
 * @throws {SottoError} team/unknown-member, team/beyond-self-service, local-key/name-taken; database/…
 */
export function addMemberKey(
  database: Pick<Database, 'transaction'>,
  { memberId, name, limits }: MemberKey,
  selfService: boolean,
): Promise<{ readonly key: TeamKey; readonly secret: string }> {
  return changeTeam(database, async (statements) => {
    const { id, groupId } = await readMember(statements, memberId)
    if (selfService) {
      const allowed = groupId === null ? undefined : (await readGroup(statements, groupId)).selfService
      const isWider = !allowed || widenings(readKeyLimits(allowed.limits), readKeyLimits(limits)).length > 0
      if (isWider || (await countKeys(statements, id, allowed)) >= allowed.keysPerMember)
        throw new SottoError('team/beyond-self-service')
    }
    const { secret } = newLocalKey()
    const keyId = await insertKey(statements, {
      name,
      hash: hashOfLocalKey(secret),
      limits: readKeyLimits(limits),
      ownerId: id,
    })
    const key = (await listTeamKeys(statements, id)).find((each) => each.id === keyId)
    if (!key) throw new SottoError('database/damaged')
    return { key, secret }
  })
}

/**
 * Counts the keys that use up the number of a self-service. A revoked key counts for a minute, because rates are by the minute,
 * and until the end of the budget's period if it spent something. Otherwise, a member could replace a key to get a new budget.
 * @throws {SottoError} database/…
 */
export async function countKeys(
  statements: Pick<Statements, 'query'>,
  memberId: string,
  selfService: Group['selfService'],
): Promise<number> {
  const budget = selfService && readKeyLimits(selfService.limits).budget
  const { day } = await readClock(statements)
  const from = budget ? daysOf(budget.period, day).from : Infinity
  const [row] = await statements.query(
    z.object({ keys: z.coerce.number() }),
    `SELECT count(*) AS keys FROM local_keys WHERE owner_id = $1 AND (
       revoked_at IS NULL OR revoked_at > clock_timestamp() - interval '1 minute'
       OR EXISTS (SELECT 1 FROM key_days WHERE key_id = local_keys.id AND day >= $2 AND spent + reserved > 0))`,
    [memberId, Math.min(Math.max(from, FIRST_DAY), LAST_DAY)],
  )
  return row?.keys ?? 0
}

/**
 * Creates a key of the member with an address.
 * @returns its ID
 * @throws {SottoError} team/unknown-member, local-key/name-taken; database/…
 */
export function createKeyOf(
  database: Pick<Database, 'transaction'>,
  email: string,
  key: Omit<NewKey, 'ownerId'>,
): Promise<string> {
  return changeTeam(database, async (statements) => {
    const ownerId = await findMember(statements, email)
    if (ownerId === undefined) throw new SottoError('team/unknown-member')
    return insertKey(statements, { ...key, ownerId })
  })
}

/**
 * Revokes a key.
 * @param ownerId only if it belongs to this member
 * @throws {SottoError} local-key/unknown; database/…
 */
export async function revokeTeamKey(
  database: Pick<Database, 'query'>,
  keyId: string,
  ownerId: string | undefined,
): Promise<void> {
  const revoked = await database.query(
    z.object({ id: z.string() }),
    `UPDATE local_keys SET revoked_at = clock_timestamp()
     WHERE id = $1 AND revoked_at IS NULL AND ($2::uuid IS NULL OR owner_id = $2) RETURNING id`,
    [requireId(keyId, 'local-key/unknown'), ownerId ?? null],
  )
  if (revoked.length === 0) throw new SottoError('local-key/unknown')
}

/** @param now Unix ms */
function viewOf({ limits, spent, reserved, revokedAt, ...key }: KeyWithAmounts, now: number): TeamKey {
  const isExpired = limits.expiresAt !== undefined && limits.expiresAt <= now
  return {
    id: key.id,
    name: key.name,
    ownerId: key.ownerId ?? null,
    limits: writeKeyLimits(limits),
    used: { spent: String(spent), reserved: String(reserved) },
    createdAt: key.createdAt,
    state: revokedAt !== undefined ? 'revoked' : isExpired ? 'expired' : 'live',
  }
}
