import { randomUUID } from 'node:crypto'
import { beforeAll, expect, it } from 'vitest'
import type { Database } from '../../../src/replica/database.ts'
import { listKeys } from '../../../src/replica/local-keys.ts'
import { addGroup, removeGroup, updateGroup } from '../../../src/replica/team/groups.ts'
import { addMember, removeMember, updateMember } from '../../../src/replica/team/members.ts'
import { beginSession } from '../../../src/replica/team/sessions.ts'
import { TeamCaller } from '../../../src/replica/team/team-caller.ts'
import { createTestReplica } from '../ledger-world.ts'
import { describeWithPostgres, startMigrated } from '../postgres.ts'
import { insertGroup, insertMember, insertOwnedKey, insertReplica, usedOf, wrongDays } from '../team-world.ts'

const plain = { role: 'member', groupId: null } as const

describeWithPostgres('members and groups', () => {
  let database: Database
  beforeAll(async () => {
    database = await startMigrated()
  })

  it('keep one admin, also if two admins remove or demote each other at the same moment', async () => {
    const [ann, ben] = [
      await insertMember(database, { role: 'admin' }),
      await insertMember(database, { role: 'admin' }),
    ]
    const results = await Promise.allSettled([
      removeMember(database, ann),
      updateMember(database, ben, plain),
    ])
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(results.find(({ status }) => status === 'rejected')).toMatchObject({
      reason: { code: 'team/last-admin' },
    })
  })

  it('have different addresses and names, in any letter case', async () => {
    await addMember(database, { ...plain, email: 'Ann@example.com' })
    await expect(addMember(database, { ...plain, email: 'ann@EXAMPLE.com' })).rejects.toMatchObject({
      code: 'team/member-exists',
    })
    const group = await addGroup(database, { name: 'Research' })
    await expect(addGroup(database, { name: 'ＲＥＳＥＡＲＣＨ' })).rejects.toMatchObject({
      code: 'team/group-exists',
    })
    await expect(updateGroup(database, group.id, { name: 'research' })).resolves.toMatchObject({
      name: 'research',
    })
  })

  it.each(['no ID', randomUUID()])('that don’t exist are unknown: %s', async (id) => {
    for (const work of [() => removeMember(database, id), () => updateMember(database, id, plain)])
      await expect(work()).rejects.toMatchObject({ code: 'team/unknown-member' })
    for (const work of [
      () => removeGroup(database, id),
      () => updateGroup(database, id, { name: 'a' }),
      () => addMember(database, { ...plain, email: 'a@example.com', groupId: id }),
    ])
      await expect(work()).rejects.toMatchObject({ code: 'team/unknown-group' })
  })

  it('are removed with their sessions and keys, and can be admitted again without them', async () => {
    const member = await addMember(database, { ...plain, email: 'eve@example.com' })
    const key = await insertOwnedKey(database, member.id)
    const token = await beginSession(database, member.id)
    await removeMember(database, member.id)
    expect((await listKeys(database)).find(({ id }) => id === key)?.revokedAt).toBeDefined()
    expect(await TeamCaller.fromSession(database, token)).toBeNull()
    await expect(removeMember(database, member.id)).rejects.toMatchObject({ code: 'team/unknown-member' })
    const again = await addMember(database, { ...plain, email: 'eve@example.com' })
    expect(again).toMatchObject({ keys: 0 })
    expect(again.id).not.toBe(member.id)
  })

  it('that change their group take their amounts along, while requests run', async () => {
    const replica = createTestReplica(database)
    await insertReplica(database, replica.id)
    const groups = [await insertGroup(database), await insertGroup(database)] as const
    const member = await insertMember(database, { groupId: groups[0] })
    const key = await insertOwnedKey(database, member)
    const first = await replica.reserve(key, 10n)
    const work: Promise<unknown>[] = []
    for (let turn = 0; turn < 12; turn++) {
      const groupId = turn % 3 === 2 ? null : (groups[turn % 2] ?? null)
      work.push(updateMember(database, member, { role: 'member', groupId }))
      work.push(
        replica.reserve(key, 5n).then(({ id, reservation }) => replica.finish(key, id, reservation, 2n)),
      )
    }
    await Promise.all(work)
    await updateMember(database, member, { role: 'member', groupId: groups[1] })
    replica.finish(key, first.id, first.reservation, 1n)
    await expect.poll(() => usedOf(database, groups[1])).toEqual({ spent: 25n, reserved: 0n })
    expect(await usedOf(database, groups[0])).toEqual({ spent: 0n, reserved: 0n })
    expect(await wrongDays(database)).toEqual([])
  })

  it('leave a group that can be removed only without members, while a removed member’s request ends', async () => {
    const replica = createTestReplica(database)
    await insertReplica(database, replica.id)
    const groupId = await insertGroup(database)
    const member = await insertMember(database, { groupId })
    const key = await insertOwnedKey(database, member)
    const { id, reservation } = await replica.reserve(key, 10n)
    await expect(removeGroup(database, groupId)).rejects.toMatchObject({ code: 'team/group-not-empty' })
    await removeMember(database, member)
    expect(await usedOf(database, groupId)).toEqual({ spent: 0n, reserved: 10n })
    await removeGroup(database, groupId)
    replica.finish(key, id, reservation, 4n)
    await expect.poll(() => usedOf(database, member)).toEqual({ spent: 4n, reserved: 0n })
    expect(await wrongDays(database)).toEqual([])
  })
})
