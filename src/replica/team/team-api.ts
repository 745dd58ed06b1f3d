import { implement } from '@orpc/server'
import { RPCHandler } from '@orpc/server/fetch'
import { withFailures } from '../../core/rpc/failure.ts'
import { teamContract } from '../../shared/contract/team.ts'
import { SottoError } from '../../shared/errors.ts'
import type { Database } from '../database.ts'
import { exportActivity, listActivity, sumActivity } from './activity.ts'
import { addGroup, listGroups, readGroup, removeGroup, updateGroup } from './groups.ts'
import { addMemberKey, countKeys, listTeamKeys, revokeTeamKey } from './member-keys.ts'
import { addMember, listMembers, readMember, removeMember, updateMember } from './members.ts'
import { mayCall } from './permissions.ts'
import { TeamCaller } from './team-caller.ts'

const PREFIX = '/api'

/** Answers a procedure of the team's contract: 401 without an authenticated caller, 405 unless POST, 415 unless JSON. */
export type TeamApi = (request: Request, caller: TeamCaller | null) => Promise<Response>

/** Creates the API of the admin page. Failures are answers. */
export function createTeamApi(database: Database): TeamApi {
  const handler = new RPCHandler(createTeamRouter(database))
  return async (request, caller) => {
    // Also refuses a caller that only looks right to the type system.
    if (!TeamCaller.isAuthenticated(caller)) return new Response(null, { status: 401 })
    if (request.method !== 'POST') return new Response(null, { status: 405, headers: { allow: 'POST' } })
    // A form of another site can't have this type.
    if (request.headers.get('content-type')?.split(';', 1)[0]?.trim().toLowerCase() !== 'application/json')
      return new Response(null, { status: 415 })
    const { matched, response } = await handler.handle(request, { prefix: PREFIX, context: { caller } })
    return matched ? response : new Response(null, { status: 404 })
  }
}

/** Creates the router. Every procedure passes the table of permissions before its input is used. */
function createTeamRouter(database: Database) {
  const os = implement(teamContract)
    .$context<{ readonly caller: TeamCaller }>()
    .use(({ context: { caller }, path, next }) =>
      withFailures(async () => {
        if (!mayCall(caller.role, path.join('.'))) throw new SottoError('team/forbidden')
        return await next()
      }),
    )
  return os.router({
    session: {
      get: os.session.get.handler(async ({ context: { caller } }) => {
        const member = await readMember(database, caller.memberId)
        const group = caller.groupId === null ? null : await readGroup(database, caller.groupId)
        return { member, group, countedKeys: await countKeys(database, member.id, group?.selfService) }
      }),
    },
    members: {
      list: os.members.list.handler(() => listMembers(database)),
      add: os.members.add.handler(({ input }) => addMember(database, input)),
      update: os.members.update.handler(({ input: { memberId, ...change } }) =>
        updateMember(database, memberId, change),
      ),
      remove: os.members.remove.handler(({ input }) => removeMember(database, input.memberId)),
    },
    groups: {
      list: os.groups.list.handler(() => listGroups(database)),
      add: os.groups.add.handler(({ input }) => addGroup(database, input)),
      update: os.groups.update.handler(({ input: { id, ...change } }) => updateGroup(database, id, change)),
      remove: os.groups.remove.handler(({ input }) => removeGroup(database, input.groupId)),
    },
    keys: {
      list: os.keys.list.handler(({ input, context: { caller } }) =>
        listTeamKeys(database, caller.scope(input.memberId)),
      ),
      add: os.keys.add.handler(({ input, context: { caller } }) => {
        caller.scope(input.memberId)
        return addMemberKey(database, input, caller.role !== 'admin')
      }),
      revoke: os.keys.revoke.handler(({ input, context: { caller } }) =>
        revokeTeamKey(database, input.keyId, caller.scope(undefined)),
      ),
    },
    activity: {
      page: os.activity.page.handler(({ input: { cursor, limit, ...filter }, context: { caller } }) =>
        listActivity(database, { ...filter, memberId: caller.scope(filter.memberId) }, { cursor, limit }),
      ),
      byMember: os.activity.byMember.handler(({ input, context: { caller } }) =>
        sumActivity(database, { ...input, memberId: caller.scope(undefined) }),
      ),
      export: os.activity.export.handler(({ input, context: { caller } }) =>
        exportActivity(database, { ...input, memberId: caller.scope(input.memberId) }),
      ),
    },
  })
}
