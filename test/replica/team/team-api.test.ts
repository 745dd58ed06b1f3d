import { isContractProcedure } from '@orpc/contract'
import { randomUUID } from 'node:crypto'
import { beforeAll, expect, it } from 'vitest'
import { createTeamApi } from '../../../src/replica/team/team-api.ts'
import { mayCall, permissions } from '../../../src/replica/team/permissions.ts'
import { beginSession } from '../../../src/replica/team/sessions.ts'
import { TeamCaller } from '../../../src/replica/team/team-caller.ts'
import { teamContract, teamRoles } from '../../../src/shared/contract/team.ts'
import { receiptOf } from '../ledger-world.ts'
import { insertGroup, insertMember, insertOwnedKey } from '../team-world.ts'
import { describeWithPostgres, startMigrated } from '../postgres.ts'
import type { Database } from '../../../src/replica/database.ts'
import { codeOf, signedIn, type TeamClient } from './team-client.ts'

const procedures = Object.entries(teamContract).flatMap(([area, members]) =>
  Object.entries(members)
    .filter(([, procedure]) => isContractProcedure(procedure))
    .map(([name]) => `${area}.${name}`),
)

it('every procedure of the contract has an entry in the table, and nothing else may be called', () => {
  expect(Object.keys(permissions).sort()).toEqual(procedures.sort())
  for (const role of teamRoles)
    for (const name of ['members.purge', 'toString', '__proto__', '', 'members'])
      expect(mayCall(role, name)).toBe(false)
})

/** Calls each procedure for a member `target` with a key, in an order in which an admin's calls succeed. */
function callsOf(
  client: TeamClient,
  target: { readonly memberId: string; readonly keyId: string; readonly groupId: string },
): Record<keyof typeof permissions, () => Promise<unknown>> {
  const change = { role: 'member', groupId: null } as const
  const name = (): string => randomUUID().slice(0, 20)
  return {
    'session.get': () => client.session.get(),
    'members.list': () => client.members.list(),
    'members.add': () => client.members.add({ ...change, email: `${name()}@example.com` }),
    'members.update': () => client.members.update({ ...change, memberId: target.memberId }),
    'groups.list': () => client.groups.list(),
    'groups.add': () => client.groups.add({ name: name() }),
    'groups.update': () => client.groups.update({ id: target.groupId, name: name() }),
    'groups.remove': () => client.groups.remove({ groupId: target.groupId }),
    'keys.list': () => client.keys.list({ memberId: target.memberId }),
    'keys.add': () => client.keys.add({ memberId: target.memberId, name: name(), limits: {} }),
    'keys.revoke': () => client.keys.revoke({ keyId: target.keyId }),
    'activity.page': () => client.activity.page({ memberId: target.memberId }),
    'activity.byMember': () => client.activity.byMember({}),
    'activity.export': () => client.activity.export({ memberId: target.memberId }),
    'members.remove': () => client.members.remove({ memberId: target.memberId }),
  }
}

describeWithPostgres('the API of the admin page', () => {
  let database: Database
  beforeAll(async () => {
    database = await startMigrated()
  })

  it.each(teamRoles)('allows the role %s exactly what the table names', async (role) => {
    const memberId = await insertMember(database)
    const keyId = await insertOwnedKey(database, memberId)
    const groupId = await insertGroup(database)
    const client = await signedIn(database, await insertMember(database, { role }))
    const codes: Record<string, string> = {}
    for (const [name, call] of Object.entries(callsOf(client, { memberId, keyId, groupId })))
      codes[name] = await codeOf(call())
    const allowed = procedures.filter((name) => codes[name] !== 'team/forbidden')
    if (role === 'admin') {
      expect(allowed).toEqual(procedures)
      expect(Object.values(codes)).toEqual(procedures.map(() => 'none'))
    } else if (role === 'auditor')
      expect(allowed.sort()).toEqual(
        procedures.filter((name) => /\.(list|get|page|byMember|export)$/.test(name)).sort(),
      )
    else {
      // Another member's data is forbidden, and another member's key unknown.
      expect(allowed.sort()).toEqual(['activity.byMember', 'keys.revoke', 'session.get'])
      expect(codes['keys.revoke']).toBe('local-key/unknown')
      expect(await client.activity.byMember({})).toEqual([])
    }
  })

  it('lets a member use what is theirs', async () => {
    const groupId = await insertGroup(database)
    const memberId = await insertMember(database, { groupId })
    const keyId = await insertOwnedKey(database, memberId)
    await insertOwnedKey(database, await insertMember(database))
    const client = await signedIn(database, memberId)
    expect((await client.keys.list({})).map(({ id }) => id)).toEqual([keyId])
    // The amounts of the group are those of its other members too.
    expect((await client.session.get()).group).toEqual({ id: groupId, name: expect.any(String) as string })
    await client.keys.revoke({ keyId })
    expect((await client.keys.list({}))[0]?.state).toBe('revoked')
  })

  it('shows a member only their own activity', async () => {
    const ann = await insertMember(database, { email: 'own@example.com' })
    const ben = await insertMember(database, { email: 'other@example.com' })
    const annKey = await insertOwnedKey(database, ann)
    const benKey = await insertOwnedKey(database, ben)
    for (const [id, keyId] of [
      ['of-ann', annKey],
      ['of-ben', benKey],
      ['without-key', null],
    ] as const)
      await database.execute(
        'INSERT INTO receipts (id, key_id, replica_id, at, body) VALUES ($1, $2, gen_random_uuid(), clock_timestamp(), $3)',
        [id, keyId, JSON.stringify(receiptOf(id, keyId ?? '', { at: Date.now() }))],
      )
    const client = await signedIn(database, ann)
    expect((await client.activity.page({})).requests.map(({ id }) => id)).toEqual(['of-ann'])
    expect((await client.activity.page({ keyId: benKey })).requests).toEqual([])
    expect((await client.activity.byMember({})).map(({ memberId }) => memberId)).toEqual([ann])
    const { csv } = await client.activity.export({})
    expect(csv).toContain('own@example.com')
    expect(csv).not.toContain('other@example.com')
    const auditor = await signedIn(database, await insertMember(database, { role: 'auditor' }))
    const seen = (await auditor.activity.page({})).requests.map(({ id }) => id)
    expect(seen.sort()).toEqual(['of-ann', 'of-ben'])
  })

  it('changes only the named fields, so that an old page undoes no other admin’s change', async () => {
    const boss = await signedIn(database, await insertMember(database, { role: 'admin' }))
    const budget = { picoUsd: '5', period: 'day' } as const
    const eve = await boss.members.add({ email: 'eve@example.com', role: 'admin', groupId: null, budget })
    await boss.members.update({ memberId: eve.id, role: 'member' })
    expect(
      await boss.members.update({ memberId: eve.id, budget: { ...budget, picoUsd: '6' } }),
    ).toMatchObject({
      role: 'member',
      budget: { picoUsd: '6' },
    })
    expect(await boss.members.update({ memberId: eve.id, budget: null })).not.toHaveProperty('budget')
    const selfService = { keysPerMember: 1, limits: {} }
    const group = await boss.groups.add({ name: 'Renamed later', budget, selfService })
    await boss.groups.update({ id: group.id, selfService: null })
    const renamed = await boss.groups.update({ id: group.id, name: 'Renamed' })
    expect(renamed).toMatchObject({ name: 'Renamed', budget })
    expect(renamed).not.toHaveProperty('selfService')
  })

  it('refuses a caller that no session proves, other methods, and other types', async () => {
    const api = createTeamApi(database)
    const token = await beginSession(database, await insertMember(database, { role: 'admin' }))
    const caller = await TeamCaller.fromSession(database, token)
    const ask = (init: RequestInit): Request => new Request('http://sotto.invalid/api/members/list', init)
    const json = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' }
    expect((await api(ask(json), caller)).status).toBe(200)
    const forged: unknown = {
      memberId: caller?.memberId,
      role: 'admin',
      groupId: null,
      scope: () => undefined,
    }
    expect((await api(ask(json), forged as TeamCaller)).status).toBe(401)
    expect((await api(ask(json), null)).status).toBe(401)
    expect((await api(ask({ method: 'GET' }), caller)).status).toBe(405)
    expect((await api(ask({ ...json, headers: { 'content-type': 'text/plain' } }), caller)).status).toBe(415)
    const other = new Request('http://sotto.invalid/api/members/purge', json)
    expect((await api(other, caller)).status).toBe(404)
    for (const wrong of [undefined, '', 'a', token.slice(1), `${token}a`, token.toUpperCase()])
      expect(await TeamCaller.fromSession(database, wrong)).toBeNull()
  })

  it('ends a session with its time, its member, and reads the role for each call', async () => {
    const admin = await insertMember(database, { role: 'admin' })
    const boss = await signedIn(database, admin)
    const ann = await boss.members.add({ email: 'ann@example.com', role: 'admin', groupId: null })
    const client = await signedIn(database, ann.id)
    expect(await codeOf(client.members.list())).toBe('none')
    await boss.members.update({ memberId: ann.id, role: 'member', groupId: null })
    expect(await codeOf(client.members.list())).toBe('team/forbidden')
    await boss.members.remove({ memberId: ann.id })
    expect(await codeOf(client.session.get())).toBe('unknown')
    await database.execute(`UPDATE team_sessions SET expires_at = clock_timestamp()`)
    expect(await codeOf(boss.session.get())).toBe('unknown')
  })
})
