import { randomUUID } from 'node:crypto'
import { beforeAll, expect, it } from 'vitest'
import { hashOfLocalKey } from '../../../src/core/gateway/proxy/index.ts'
import type { Database } from '../../../src/replica/database.ts'
import { listKeys } from '../../../src/replica/local-keys.ts'
import { addGroup, updateGroup } from '../../../src/replica/team/groups.ts'
import { addMemberKey, listTeamKeys, revokeTeamKey } from '../../../src/replica/team/member-keys.ts'
import type { Group } from '../../../src/shared/contract/team.ts'
import type { KeyLimitsText } from '../../../src/shared/key-limits.ts'
import { insertMember, insertOwnedKey } from '../team-world.ts'
import { describeWithPostgres, startMigrated } from '../postgres.ts'

const limits: KeyLimitsText = {
  budget: { picoUsd: '100', period: 'month' },
  atLeast: 'sealed',
  models: ['private/*'],
}
const wider: readonly KeyLimitsText[] = [
  {},
  { ...limits, budget: { picoUsd: '101', period: 'month' } },
  { ...limits, budget: { picoUsd: '100', period: 'day' } },
  { ...limits, budget: { picoUsd: '100', period: 'month', soft: true } },
  { ...limits, allowUnpriced: true },
  { ...limits, atLeast: 'relayed' },
  { ...limits, models: ['*'] },
  { ...limits, grants: ['balance'] },
  { ...limits, origins: ['https://example.com'] },
]

describeWithPostgres('keys of members', () => {
  let database: Database
  let group: Group
  beforeAll(async () => {
    database = await startMigrated()
    group = await addGroup(database, { name: 'Research', selfService: { keysPerMember: 2, limits } })
  })
  const add = (
    memberId: string,
    more: { limits?: KeyLimitsText; name?: string } = {},
    selfService = true,
  ): ReturnType<typeof addMemberKey> =>
    addMemberKey(database, { memberId, name: randomUUID(), limits, ...more }, selfService)
  const beyond = { code: 'team/beyond-self-service' }

  it.each(wider)('are refused beyond the group’s self-service: %j', async (asked) => {
    const member = await insertMember(database, { groupId: group.id })
    await expect(add(member, { limits: asked })).rejects.toMatchObject(beyond)
    await expect(add(member, { limits: asked }, false)).resolves.toMatchObject({ key: { limits: asked } })
  })

  it('are created within it, up to the number, and narrower', async () => {
    const member = await insertMember(database, { groupId: group.id })
    const { key, secret } = await add(member, {
      limits: { ...limits, budget: { picoUsd: '99', period: 'total' }, models: ['private/a'] },
    })
    expect(key).toMatchObject({ ownerId: member, state: 'live', used: { spent: '0', reserved: '0' } })
    const saved = (await listKeys(database)).find(({ id }) => id === key.id)
    expect(saved?.hash).toBe(hashOfLocalKey(secret))
    // At the same moment too.
    const results = await Promise.allSettled([add(member), add(member)])
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    await revokeTeamKey(database, key.id, member)
    await expect(add(member)).rejects.toMatchObject(beyond)
    await database.execute(
      `UPDATE local_keys SET revoked_at = revoked_at - interval '2 minutes' WHERE id = $1`,
      [key.id],
    )
    await add(member)
  })

  it('count until the end of the period if they spent something, so that a new key is no new budget', async () => {
    const member = await insertMember(database, { groupId: group.id })
    const spend = async (day: string): Promise<void> => {
      const { key } = await add(member)
      await database.execute(
        `INSERT INTO key_days (key_id, day, spent, reserved) VALUES ($1, ${day}, 100, 0)`,
        [key.id],
      )
      await revokeTeamKey(database, key.id, member)
    }
    const today = `(extract(epoch FROM clock_timestamp()) / 86400)::integer`
    await spend(`${today} - 40`)
    await spend(today)
    // Rates are by the minute, so both still count.
    await expect(add(member)).rejects.toMatchObject(beyond)
    await database.execute(
      `UPDATE local_keys SET revoked_at = revoked_at - interval '2 minutes' WHERE owner_id = $1`,
      [member],
    )
    await add(member)
    await expect(add(member)).rejects.toMatchObject(beyond)
  })

  it('can’t be created by a member without self-service', async () => {
    const other = await addGroup(database, { name: 'Sales' })
    for (const groupId of [null, other.id])
      await expect(add(await insertMember(database, { groupId }))).rejects.toMatchObject(beyond)
    const member = await insertMember(database, { groupId: group.id })
    await updateGroup(database, group.id, { selfService: null })
    await expect(add(member)).rejects.toMatchObject(beyond)
    await updateGroup(database, group.id, group)
  })

  it('need another name than every key that isn’t revoked', async () => {
    const member = await insertMember(database)
    const name = 'The same name'
    await add(member, { name }, false)
    await expect(add(await insertMember(database), { name }, false)).rejects.toMatchObject({
      code: 'local-key/name-taken',
    })
  })

  it('are revoked by their owner, and unknown to another member', async () => {
    const member = await insertMember(database)
    const key = await insertOwnedKey(database, member)
    await expect(revokeTeamKey(database, key, await insertMember(database))).rejects.toMatchObject({
      code: 'local-key/unknown',
    })
    await revokeTeamKey(database, key, member)
    await expect(revokeTeamKey(database, key, undefined)).rejects.toMatchObject({ code: 'local-key/unknown' })
    await expect(revokeTeamKey(database, 'no ID', undefined)).rejects.toMatchObject({
      code: 'local-key/unknown',
    })
    await insertOwnedKey(database, member, { expiresAt: 1 })
    expect((await listTeamKeys(database, member)).map(({ state }) => state)).toEqual(['expired', 'revoked'])
  })
})
