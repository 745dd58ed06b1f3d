import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { implement, ORPCError } from '@orpc/server'
import { RPCHandler } from '@orpc/server/node'
import type { Failure } from '../../src/shared/contract/sotto-contract.ts'
import {
  teamContract,
  type Group,
  type Member,
  type TeamKey,
  type TeamRequest,
} from '../../src/shared/contract/team.ts'
import { listen, serveWindowFile } from './serve-window.ts'

interface TeamState {
  members: Member[]
  groups: Group[]
  keys: TeamKey[]
  /** The newest first. */
  requests: TeamRequest[]
  /** The member who signs in at `/sign-in`; undefined if the identity provider refuses. */
  signsIn: string | undefined
  /** Failures by procedure, such as `members.list`. */
  failures: Record<string, Failure>
  /** Requests per page. */
  page: number
  /** Delays calls. */
  before: (procedure: string) => Promise<void>
}

export interface MockTeam extends AsyncDisposable {
  readonly origin: string
  readonly state: TeamState
  /** Every call to the API, with its input. */
  readonly calls: readonly { readonly path: string; readonly input: unknown }[]
  /** Ends all sessions, as a removal or a sign-out elsewhere does. */
  endSessions(): void
}

export function teamFailure(code: string, text: string): Failure {
  return { code, says: text, remedy: 'Try again later.' }
}

function refuse(code: string, text = 'The team’s server refused this.'): never {
  throw new ORPCError('SOTTO', { status: 422, data: teamFailure(code, text), defined: true })
}

const COOKIE = /(?:^|; )team-session=([\w-]+)/

/** The page for a team on a server in memory, with the roles of the contract. It's empty except for one admin. */
export async function startMockTeam(admin: Member): Promise<MockTeam> {
  const state: TeamState = {
    members: [admin],
    groups: [],
    keys: [],
    requests: [],
    signsIn: admin.id,
    failures: {},
    page: 50,
    before: () => Promise.resolve(),
  }
  const calls: { path: string; input: unknown }[] = []
  /** Member IDs by token. */
  const sessions = new Map<string, string>()
  let count = 0
  const newId = (prefix: string): string => `${prefix}-${String(++count)}`

  const os = implement(teamContract)
    .$context<{ me: Member }>()
    .use(async ({ path, context: { me }, next }, input) => {
      const name = path.join('.')
      calls.push({ path: name, input })
      await state.before(name)
      const data = state.failures[name]
      if (data) throw new ORPCError('SOTTO', { status: 422, data, defined: true })
      const [area, verb = ''] = path
      const reads = ['get', 'list', 'page', 'byMember', 'export'].includes(verb)
      if (me.role === 'auditor' && !reads) refuse('team/forbidden')
      if (me.role === 'member' && (area === 'members' || area === 'groups')) refuse('team/forbidden')
      return await next()
    })

  const unused = { spent: '0', reserved: '0' }
  const memberOf = (id: string): Member =>
    state.members.find((member) => member.id === id) ?? refuse('team/unknown-member')
  const withKeys = (member: Member): Member => ({
    ...member,
    keys: state.keys.filter((key) => key.ownerId === member.id && key.state !== 'revoked').length,
  })
  const keepAdmin = (id: string): void => {
    if (!state.members.some((member) => member.role === 'admin' && member.id !== id))
      refuse('team/last-admin', 'A team needs an admin.')
  }
  const revoke = (matches: (key: TeamKey) => boolean): void => {
    state.keys = state.keys.map((key) => (matches(key) ? { ...key, state: 'revoked' } : key))
  }
  const visible = (
    me: Member,
    filter: Partial<Record<'memberId' | 'keyId', string | undefined>> &
      Partial<Record<'from' | 'until', number | undefined>>,
  ): TeamRequest[] =>
    state.requests.filter(
      ({ memberId, keyId, at }) =>
        (me.role !== 'member' || memberId === me.id) &&
        (filter.memberId === undefined || memberId === filter.memberId) &&
        (filter.keyId === undefined || keyId === filter.keyId) &&
        (filter.from === undefined || at >= filter.from) &&
        (filter.until === undefined || at < filter.until),
    )

  const router = os.router({
    session: {
      get: os.session.get.handler(({ context: { me } }) => ({
        member: withKeys(me),
        group: state.groups.find(({ id }) => id === me.groupId) ?? null,
        countedKeys: withKeys(me).keys,
      })),
    },
    members: {
      list: os.members.list.handler(() => state.members.map(withKeys)),
      add: os.members.add.handler(({ input: { budget, ...input } }) => {
        if (state.members.some(({ email }) => email === input.email))
          refuse('team/member-exists', 'This address is already a member.')
        const member: Member = {
          ...input,
          ...(budget && { budget }),
          id: newId('member'),
          name: null,
          used: unused,
          keys: 0,
          createdAt: Date.now(),
          lastSignInAt: null,
        }
        state.members.push(member)
        return member
      }),
      update: os.members.update.handler(({ input: { memberId, role, groupId, budget } }) => {
        const { budget: former, ...member } = memberOf(memberId)
        if (role !== undefined && role !== 'admin') keepAdmin(memberId)
        const saved = budget === undefined ? former : budget
        const changed = {
          ...member,
          role: role ?? member.role,
          groupId: groupId === undefined ? member.groupId : groupId,
          ...(saved && { budget: saved }),
        }
        state.members = state.members.map((each) => (each.id === memberId ? changed : each))
        return changed
      }),
      remove: os.members.remove.handler(({ input: { memberId } }) => {
        keepAdmin(memberId)
        revoke(({ ownerId }) => ownerId === memberId)
        state.members = state.members.filter(({ id }) => id !== memberId)
      }),
    },
    groups: {
      list: os.groups.list.handler(() => state.groups),
      add: os.groups.add.handler(({ input }) => {
        const group: Group = { ...input, id: newId('group'), members: 0, used: unused }
        state.groups.push(group)
        return group
      }),
      update: os.groups.update.handler(({ input }) => {
        const former = state.groups.find(({ id }) => id === input.id) ?? refuse('team/unknown-group')
        const { budget = former.budget, selfService = former.selfService } = input
        const group: Group = {
          id: former.id,
          name: input.name ?? former.name,
          members: former.members,
          used: former.used,
          ...(budget && { budget }),
          ...(selfService && { selfService }),
        }
        state.groups = state.groups.map((each) => (each.id === group.id ? group : each))
        return group
      }),
      remove: os.groups.remove.handler(({ input: { groupId } }) => {
        if (state.members.some((member) => member.groupId === groupId))
          refuse('team/group-not-empty', 'This group still has members.')
        state.groups = state.groups.filter(({ id }) => id !== groupId)
      }),
    },
    keys: {
      list: os.keys.list.handler(({ input: { memberId }, context: { me } }) =>
        state.keys.filter(
          ({ ownerId }) =>
            (me.role !== 'member' || ownerId === me.id) && (memberId === undefined || ownerId === memberId),
        ),
      ),
      add: os.keys.add.handler(({ input: { memberId, name, limits }, context: { me } }) => {
        const service = state.groups.find(({ id }) => id === me.groupId)?.selfService
        const live = state.keys.filter(({ ownerId, state: is }) => ownerId === me.id && is === 'live').length
        if (me.role === 'member' && (memberId !== me.id || !service || live >= service.keysPerMember))
          refuse('team/beyond-self-service', 'Your group doesn’t allow this key.')
        const key: TeamKey = {
          id: newId('key'),
          name,
          limits,
          ownerId: memberId,
          used: unused,
          createdAt: Date.now(),
          state: 'live',
        }
        state.keys.push(key)
        return { key, secret: `sotto-${key.id}-4f9d2c7a8b1e6035` }
      }),
      revoke: os.keys.revoke.handler(({ input: { keyId } }) => revoke(({ id }) => id === keyId)),
    },
    activity: {
      page: os.activity.page.handler(({ input: { cursor = '0', ...filter }, context: { me } }) => {
        const all = visible(me, filter)
        const end = Number(cursor) + state.page
        return { requests: all.slice(Number(cursor), end), next: end < all.length ? String(end) : null }
      }),
      byMember: os.activity.byMember.handler(({ input, context: { me } }) =>
        [...Map.groupBy(visible(me, input), ({ memberId }) => memberId)].map(([memberId, requests]) => ({
          memberId,
          requests: requests.length,
          charged: String(
            requests.reduce((sum, { charged, cost }) => sum + BigInt(charged ?? cost ?? 0), 0n),
          ),
        })),
      ),
      export: os.activity.export.handler(({ input, context: { me } }) => ({
        csv: [
          'time,member,key,model',
          ...visible(me, input).map((each) =>
            [new Date(each.at).toISOString(), each.memberId ?? '', each.tool, each.model].join(','),
          ),
        ].join('\r\n'),
        complete: true,
      })),
    },
  })
  const handler = new RPCHandler(router)

  async function route(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const path = (incoming.url ?? '/').split('?', 1)[0] ?? '/'
    const token = COOKIE.exec(incoming.headers.cookie ?? '')?.[1] ?? ''
    if (path === '/sign-in') {
      const id = state.signsIn
      if (id === undefined) return void outgoing.writeHead(302, { location: '/?failed=proxy/internal' }).end()
      const fresh = newId('token')
      sessions.set(fresh, id)
      return void outgoing
        .writeHead(302, {
          location: '/',
          'set-cookie': `team-session=${fresh}; Path=/; HttpOnly; SameSite=Lax`,
        })
        .end()
    }
    const fromPage =
      incoming.method === 'POST' &&
      incoming.headers.origin === origin &&
      incoming.headers['content-type'] === 'application/json'
    if (path === '/sign-out') {
      if (!fromPage) return void outgoing.writeHead(403).end()
      sessions.delete(token)
      return void outgoing.writeHead(204).end()
    }
    if (path.startsWith('/api/')) {
      const me = state.members.find(({ id }) => id === sessions.get(token))
      if (!me) return void outgoing.writeHead(401).end()
      if (!fromPage) return void outgoing.writeHead(403).end()
      const { matched } = await handler.handle(incoming, outgoing, { prefix: '/api', context: { me } })
      if (!matched) outgoing.writeHead(404).end()
      return
    }
    await serveWindowFile(path === '/' ? '/admin.html' : path, outgoing)
  }

  const server = createServer(
    (incoming, outgoing) => void route(incoming, outgoing).catch(() => outgoing.destroy()),
  )
  const origin = await listen(server)
  return {
    origin,
    state,
    calls,
    endSessions: () => sessions.clear(),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
