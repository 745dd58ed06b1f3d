import { request, type IncomingMessage } from 'node:http'
import { beforeAll, beforeEach, expect, it, onTestFinished, vi } from 'vitest'
import { createOutboundFetch } from '../../../src/host/outbound-fetch.ts'
import type { Database } from '../../../src/replica/database.ts'
import { startAdminServer } from '../../../src/replica/team/admin-server.ts'
import { listMembers, removeMember, updateMember } from '../../../src/replica/team/members.ts'
import { BodyBudget } from '../../../src/shared/body-budget.ts'
import { insertMember } from '../team-world.ts'
import { describeWithPostgres, startMigrated } from '../postgres.ts'
import { Browser, type Answer } from './browser.ts'
import {
  CLIENT_ID,
  CLIENT_SECRET,
  freePort,
  startIdentityProvider,
  type IdentityProvider,
} from './identity-provider.ts'

const outbound = createOutboundFetch({})
const SESSION = '__Host-sotto-team'

describeWithPostgres('the admin page’s server', () => {
  let database: Database
  let origin: string
  let provider: IdentityProvider
  let browser: Browser
  let ann: string
  let count = 0

  /** One more replica behind the same public address. A test reaches it by its own port. */
  async function startReplica(port: number): Promise<void> {
    const server = await startAdminServer({
      database,
      settings: {
        origin,
        bind: { host: '127.0.0.1', port },
        oidc: { issuer: new URL(provider.issuer), clientId: CLIENT_ID, clientSecret: CLIENT_SECRET },
      },
      bodies: new BodyBudget(),
      fetch: provider.fetch,
    })
    onTestFinished(() => server[Symbol.asyncDispose]())
  }
  beforeAll(async () => {
    database = await startMigrated()
    // The provider prints advice for production.
    for (const method of ['info', 'warn'] as const)
      vi.spyOn(console, method).mockImplementation(() => undefined)
  })
  beforeEach(async () => {
    const port = await freePort()
    origin = `http://127.0.0.1:${String(port)}`
    provider = await startIdentityProvider(`${origin}/sign-in/callback`, outbound.fetch)
    onTestFinished(() => provider[Symbol.asyncDispose]())
    await startReplica(port)
    browser = new Browser()
    const email = `ann-${String(++count)}@example.com`
    ann = await insertMember(database, { email, role: 'admin' })
    provider.account = { sub: `ann ${String(count)}`, email, email_verified: true, name: 'Ann' }
  })

  const call = (procedure: string, headers: Record<string, string> = {}, from = origin): Promise<Answer> =>
    browser.send(`${from}/api/${procedure}`, {
      method: 'POST',
      headers: { origin, 'content-type': 'application/json', ...headers },
      body: '{}',
    })
  /** @returns the code of the failure; undefined if the person is signed in */
  async function signIn(): Promise<string | undefined> {
    const end = new URL(
      await browser.navigate(
        `${origin}/sign-in`,
        (at) => at.startsWith(`${origin}/?`) || at === `${origin}/`,
      ),
    )
    const code = end.searchParams.get('failed') ?? undefined
    expect(browser.cookiesOf(origin).has(SESSION)).toBe(code === undefined)
    return code
  }

  it('signs an admitted person in, by code, PKCE, state and nonce, and out at every replica', async () => {
    expect((await call('session/get')).status).toBe(401)
    expect(await signIn()).toBeUndefined()
    const asked = new URL(browser.visited[1] ?? '')
    expect(asked.origin).toBe(provider.issuer)
    expect(Object.fromEntries(asked.searchParams)).toMatchObject({
      response_type: 'code',
      code_challenge_method: 'S256',
      scope: 'openid email profile',
      state: expect.stringMatching(/^[\w-]{43}$/) as string,
      nonce: expect.stringMatching(/^[\w-]{43}$/) as string,
    })
    const answer = await call('session/get')
    expect(answer.status).toBe(200)
    expect(answer.body).toContain(ann)
    expect(answer.body).toContain('"name":"Ann"')

    // Another replica knows the session, and its end.
    const other = await freePort()
    await startReplica(other)
    const there = `http://127.0.0.1:${String(other)}`
    const host = { host: new URL(origin).host }
    browser.cookiesOf(there).set(SESSION, browser.cookiesOf(origin).get(SESSION) ?? '')
    expect((await call('session/get', host, there)).status).toBe(200)
    const token = browser.cookiesOf(origin).get(SESSION) ?? ''
    const out = await browser.send(`${origin}/sign-out`, { method: 'POST', headers: { origin } })
    expect(out.status).toBe(204)
    expect(browser.cookiesOf(origin).has(SESSION)).toBe(false)
    expect((await call('session/get', host, there)).status).toBe(401)
    expect((await call('session/get', { cookie: `${SESSION}=${token}` })).status).toBe(401)
  })

  it('sets cookies that no other site and no script can use', async () => {
    const { headers } = await browser.send(`${origin}/sign-in`)
    expect(headers['set-cookie']).toEqual([
      expect.stringMatching(
        /^__Host-sotto-sign-in=[\w-]{43}; Path=\/; Max-Age=600; Secure; HttpOnly; SameSite=Lax$/,
      ),
    ])
  })

  it('refuses a person whose address isn’t verified or isn’t admitted', async () => {
    provider.account.email_verified = false
    expect(await signIn()).toBe('team/not-admitted')
    delete provider.account.email_verified
    expect(await signIn()).toBe('team/not-admitted')
    provider.account = { sub: 'ben', email: 'ben@example.com', email_verified: true }
    expect(await signIn()).toBe('team/not-admitted')
  })

  it('knows a person only by issuer and subject after the first sign-in', async () => {
    const { account } = provider
    expect(await signIn()).toBeUndefined()
    // The address has another owner now.
    provider.account = { ...account, sub: `${account.sub} 2` }
    browser = new Browser()
    expect(await signIn()).toBe('team/not-admitted')
    // The person has another address, which isn't even verified.
    provider.account = { sub: account.sub, email: 'other@example.com' }
    browser = new Browser()
    expect(await signIn()).toBeUndefined()
    expect((await call('session/get')).body).toContain(ann)
  })

  it('ends the session of a member who is removed, and admits them only again by an admin', async () => {
    const boss = await insertMember(database, { role: 'admin' })
    expect(boss).not.toBe(ann)
    expect(await signIn()).toBeUndefined()
    await removeMember(database, ann)
    expect((await call('session/get')).status).toBe(401)
    browser = new Browser()
    expect(await signIn()).toBe('team/not-admitted')
  })

  it.each(['removed', 'demoted'])(
    'refuses a call whose body arrives after its caller was %s',
    async (change) => {
      await insertMember(database, { role: 'admin' })
      expect(await signIn()).toBeUndefined()
      const { hostname, port } = new URL(origin)
      const waiting = request({
        hostname,
        port,
        method: 'POST',
        path: '/api/members/add',
        headers: {
          origin,
          'content-type': 'application/json',
          cookie: `${SESSION}=${browser.cookiesOf(origin).get(SESSION) ?? ''}`,
        },
      })
      const answered = new Promise<IncomingMessage>((resolve, reject) => {
        waiting.on('response', resolve)
        waiting.on('error', reject)
      })
      waiting.flushHeaders()
      // The server has seen the head of the request when it answers a later one on the same process.
      expect((await call('session/get')).status).toBe(200)
      if (change === 'removed') await removeMember(database, ann)
      else await updateMember(database, ann, { role: 'member' })
      waiting.end(
        JSON.stringify({ json: { email: 'second-address@example.com', role: 'admin', groupId: null } }),
      )
      const answer = await answered
      answer.resume()
      expect(answer.statusCode).toBe(change === 'removed' ? 401 : 422)
      expect((await listMembers(database)).map(({ email }) => email)).not.toContain(
        'second-address@example.com',
      )
    },
  )

  it('uses the address and its verification from the user info if the ID token doesn’t state both', async () => {
    const { email } = provider.account
    provider.tamper = () => ({ claims: { email, email_verified: undefined } })
    expect(await signIn()).toBeUndefined()
    // The verification of another address doesn't count.
    browser = new Browser()
    provider.account = { sub: 'eve', email: 'eve@example.com', email_verified: true }
    provider.tamper = () => ({ claims: { email, email_verified: undefined } })
    expect(await signIn()).toBe('team/not-admitted')
  })

  it.each<[string, NonNullable<IdentityProvider['tamper']>]>([
    ['another nonce', () => ({ claims: { nonce: 'other' } })],
    ['no nonce', () => ({ claims: { nonce: undefined } })],
    ['another issuer', () => ({ claims: { iss: 'https://evil.example' } })],
    ['another audience', () => ({ claims: { aud: 'another client' } })],
    [
      'more audiences without an authorized party',
      () => ({ claims: { aud: [CLIENT_ID, 'another client'], azp: 'another client' } }),
    ],
    ['a past expiry', ({ iat }) => ({ claims: { exp: Number(iat) - 600, iat: Number(iat) - 1200 } })],
    ['no subject', () => ({ claims: { sub: undefined } })],
    ['no signature', () => ({ alg: 'none' })],
    ['the signature of another key', () => ({ otherKey: true })],
  ])('refuses an ID token with %s', async (_what, tamper) => {
    provider.tamper = tamper
    expect(await signIn()).toBe('team/sign-in-failed')
  })

  it('reads the address also from the ID token, if the provider’s user info has none', async () => {
    const { email } = provider.account
    delete provider.account.email
    provider.tamper = () => ({ claims: { email, email_verified: 'true' } })
    expect(await signIn()).toBe('team/not-admitted')
    provider.tamper = () => ({ claims: { email, email_verified: true } })
    expect(await signIn()).toBeUndefined()
  })

  it('accepts the ID token that is only signed again, so the others fail by their claims', async () => {
    provider.tamper = () => ({})
    expect(await signIn()).toBeUndefined()
  })

  const returning = (): Promise<string> =>
    browser.navigate(`${origin}/sign-in`, (at) => at.startsWith(`${origin}/sign-in/callback`))
  const failureAt = async (address: string): Promise<string | null> => {
    const { headers } = await browser.send(address)
    return new URL(headers.location ?? '', origin).searchParams.get('failed')
  }

  it.each([
    ['another state', 'state', 'A'.repeat(43)],
    ['another issuer, as in a mix-up', 'iss', 'https://evil.example'],
    ['another code', 'code', 'A'.repeat(43)],
  ])('refuses a return with %s', async (_what, name, value) => {
    const address = new URL(await returning())
    address.searchParams.set(name, value)
    expect(await failureAt(address.href)).toBe('team/sign-in-failed')
  })

  it('refuses a code that was used, and a return to another browser', async () => {
    const address = await returning()
    const mine = browser
    browser = new Browser()
    expect(await failureAt(address)).toBe('team/sign-in-failed')
    browser = mine
    const jar = browser.cookiesOf(origin)
    const pending = new Map(jar)
    expect(await failureAt(address)).toBeNull()
    expect(jar.has('__Host-sotto-sign-in')).toBe(false)
    for (const [name, value] of pending) jar.set(name, value)
    expect(await failureAt(address)).toBe('team/sign-in-failed')
  })

  it('refuses calls of other sites, hosts, types and spellings', async () => {
    expect(await signIn()).toBeUndefined()
    const status = async (headers: Record<string, string>): Promise<number> =>
      (await call('session/get', headers)).status
    expect(await status({})).toBe(200)
    expect(await status({ origin: 'https://evil.example' })).toBe(403)
    expect(await status({ origin: 'null' })).toBe(403)
    expect(await status({ host: 'evil.example' })).toBe(403)
    expect(await status({ 'content-type': 'text/plain' })).toBe(415)
    const without = await browser.send(`${origin}/api/session/get`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{}',
    })
    expect(without.status).toBe(403)
    const out = await browser.send(`${origin}/sign-out`, { method: 'POST' })
    expect(out.status).toBe(403)
    expect(await status({})).toBe(200)
    for (const path of ['/%2e%2e/admin.html', '/assets/%2e%2e/index.html', '/a//b', '/assets%2fa.js'])
      expect((await browser.send(origin, { target: path })).status).toBe(400)
    for (const path of ['/index.html', '/diagram.html', '/assets/missing.js', '/v1/models', '/session'])
      expect((await browser.send(`${origin}${path}`)).status).toBe(404)
    // Two cookies of one name: one of them may come from somewhere else.
    const token = browser.cookiesOf(origin).get(SESSION) ?? ''
    expect(await status({ cookie: `${SESSION}=${token}; ${SESSION}=${token}` })).toBe(401)
  })

  it('states that the identity provider is away, and works when it is back', async () => {
    const away = await startIdentityProvider(`${origin}/sign-in/callback`, () =>
      Promise.reject(new Error('away')),
    )
    onTestFinished(() => away[Symbol.asyncDispose]())
    const { fetch } = provider
    let isAway = true
    Object.assign(provider, {
      fetch: ((url, init) => (isAway ? away.fetch(url, init) : fetch(url, init))) satisfies typeof fetch,
    })
    const port = await freePort()
    await startReplica(port)
    const ask = (): Promise<Answer> =>
      browser.send(`http://127.0.0.1:${String(port)}/sign-in`, { headers: { host: new URL(origin).host } })
    expect((await ask()).headers.location).toBe('/?failed=team%2Fsign-in-unavailable')
    isAway = false
    expect((await ask()).headers.location).toContain(provider.issuer)
  })
})
