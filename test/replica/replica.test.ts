import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { z } from 'zod'
import { hashOfLocalKey, newLocalKey } from '../../src/core/gateway/proxy/index.ts'
import type { AdminSettings } from '../../src/replica/team/admin-settings.ts'
import { freePort } from './team/identity-provider.ts'
import { insertMember } from './team-world.ts'
import { createKey, revokeKey } from '../../src/replica/local-keys.ts'
import { parseDatabaseAddress, type DatabaseAddress } from '../../src/replica/database-address.ts'
import { startReplica, type Replica } from '../../src/replica/start-replica.ts'
import type { KeyLimits } from '../../src/shared/key-limits.ts'
import { createDatabase, type Database } from '../../src/replica/database.ts'
import { readSettings } from '../../src/host/settings.ts'
import { RawCaller } from '../raw-caller.ts'
import { countRows, sumsOf } from './ledger-world.ts'
import { describeWithPostgres, startPostgres, type PostgresServer } from './postgres.ts'

async function startTestReplica(address: DatabaseAddress, admin?: AdminSettings): Promise<Replica> {
  return startReplica(await readSettings({ SOTTO_PORT: '0' }), {
    address,
    service: 'sandbox',
    graceMs: 0,
    retentionDays: 1,
    vaultKey: new Uint8Array(32).fill(3),
    ...(admin && { admin }),
  })
}

async function addKey(
  database: Database,
  name: string,
  limits: KeyLimits,
): Promise<{ id: string; secret: string }> {
  const { secret } = newLocalKey()
  // A second try of a test needs another name.
  const unique = `${name} ${randomUUID()}`
  return { id: await createKey(database, { name: unique, hash: hashOfLocalKey(secret), limits }), secret }
}

const chat = (
  replica: Replica,
  secret: string,
  model = 'private/sandbox-whisper-70b',
  signal?: AbortSignal,
): Promise<Response> =>
  fetch(`${replica.baseUrl}/chat/completions`, {
    ...(signal && { signal }),
    method: 'POST',
    headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model, max_tokens: 16, messages: [{ role: 'user', content: 'Hello' }] }),
  })
const models = (replica: Replica, secret: string): Promise<Response> =>
  fetch(`${replica.baseUrl}/models`, { headers: { authorization: `Bearer ${secret}` } })

async function countReceipts(database: Database, keyId: string): Promise<number> {
  const rows = await database.query(
    z.object({ id: z.string() }),
    'SELECT id FROM receipts WHERE key_id = $1',
    [keyId],
  )
  return rows.length
}

async function isWaitingForLock(database: Database): Promise<boolean> {
  const rows = await database.query(
    z.object({ pid: z.number() }),
    `SELECT pid FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`,
  )
  return rows.length > 0
}

describeWithPostgres('replicas', () => {
  let server: PostgresServer
  let database: Database
  /** Each of them has its own sandbox, whose start takes seconds. */
  let one: Replica
  let other: Replica
  let page: string
  beforeAll(async () => {
    server = await startPostgres()
    const address = parseDatabaseAddress(await server.createAddress())
    database = createDatabase({ address })
    // Both create the tables, or wait for the other.
    const port = await freePort()
    page = `http://127.0.0.1:${String(port)}`
    const admin: AdminSettings = {
      origin: page,
      bind: { host: '127.0.0.1', port },
      oidc: { issuer: new URL('http://127.0.0.1:9'), clientId: 'sotto', clientSecret: 'secret' },
    }
    ;[one, other] = await Promise.all([startTestReplica(address, admin), startTestReplica(address)])
  })
  afterAll(async () => {
    await Promise.all([one, other, database].map((part) => part[Symbol.asyncDispose]()))
  })

  it('answer for the same keys, and charge one budget', async () => {
    const key = await addKey(database, 'Team', { budget: { picoUsd: 10n ** 12n, period: 'month' } })
    for (const replica of [one, other]) {
      await expect.poll(async () => (await models(replica, key.secret)).status).toBe(200)
      const listed = await models(replica, key.secret)
      const text = await listed.text()
      expect({ status: listed.status, text: text.slice(0, 200) }).toMatchObject({ status: 200 })
      const model = /"id":"(private\/[^"]+)"/.exec(text)?.[1]
      const answer = await chat(replica, key.secret, model)
      expect({ status: answer.status, text: (await answer.text()).slice(0, 300) }).toMatchObject({
        status: 200,
      })
    }
    await expect.poll(() => countReceipts(database, key.id)).toBe(2)
    const { spent, reserved } = await sumsOf(database, key.id)
    expect(spent).toBeGreaterThan(0n)
    expect(reserved).toBe(0n)
    // The release of the verified enclave. No replica accepts an older one.
    expect(await countRows(database, 'enclaves')).toBe(1)
  })

  it('refuse a request beyond the budget of the key’s owner, with a code for tools', async () => {
    const owner = await insertMember(database, { budget: { picoUsd: 0n, period: 'month' } })
    const { secret } = newLocalKey()
    await createKey(database, {
      name: randomUUID(),
      hash: hashOfLocalKey(secret),
      limits: {},
      ownerId: owner,
    })
    await expect.poll(async () => (await models(other, secret)).status).toBe(200)
    const listed = await (await models(other, secret)).text()
    const answer = await chat(other, secret, /"id":"(private\/[^"]+)"/.exec(listed)?.[1])
    expect({ status: answer.status, text: await answer.text() }).toMatchObject({
      status: 402,
      text: expect.stringContaining('budget/member-exceeded') as string,
    })
  })

  it('have the admin page on its own port, and only with its settings', async () => {
    const ask = (base: string): Promise<Response> =>
      fetch(new URL('/api/session/get', base), {
        method: 'POST',
        headers: { origin: page, 'content-type': 'application/json' },
        body: '{}',
      })
    expect((await ask(page)).status).toBe(401)
    expect(await (await fetch(`${page}/sign-in`, { redirect: 'manual' })).text()).toBe('')
    for (const replica of [one, other]) expect((await ask(replica.baseUrl)).status).not.toBe(200)
    expect((await fetch(new URL('/sign-in', one.baseUrl))).status).toBe(404)
  })

  it('refuse a revoked key within a second', async () => {
    const key = await addKey(database, 'Editor', {})
    for (const replica of [one, other])
      await expect.poll(async () => (await models(replica, key.secret)).status).toBe(200)
    await revokeKey(database, key.id)
    const revoked = performance.now()
    for (const replica of [one, other]) {
      let asked = performance.now()
      while ((await models(replica, key.secret)).status === 200) {
        expect(asked - revoked).toBeLessThan(1_000)
        asked = performance.now()
      }
      await expect.poll(async () => (await models(replica, key.secret)).status).toBe(401)
    }
  })

  it('share a rate, and report their database', async () => {
    const key = await addKey(database, 'Monitor', { requestsPerMinute: 1, grants: ['metrics'] })
    await expect.poll(async () => (await models(other, key.secret)).status).toBe(200)
    await expect.poll(async () => (await chat(one, key.secret)).status).toBe(200)
    const refused = await chat(other, key.secret)
    expect([refused.status, await refused.text()]).toEqual([429, expect.stringContaining('limit/requests')])
    const root = one.baseUrl.replace(/\/v1$/, '')
    await expect.poll(async () => (await fetch(`${root}/readyz`)).status).toBe(200)
    const metrics = await fetch(`${root}/metrics`, { headers: { authorization: `Bearer ${key.secret}` } })
    expect(await metrics.text()).toMatch(/^sotto_replica_ledger_operations [1-9]/m)
  })

  it('share the limit of parallel requests', async () => {
    const key = await addKey(database, 'Agent', { parallelRequests: 1 })
    await expect.poll(async () => (await chat(other, key.secret)).status).toBe(200)
    await expect.poll(() => countRows(database, 'running_requests')).toBe(0)
    const { port, pathname } = new URL(one.baseUrl)
    const caller = await RawCaller.to(Number(port))
    onTestFinished(() => caller.destroy())
    // A request counts from its head on. This one's body never comes.
    caller.write(
      `POST ${pathname}/chat/completions HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${key.secret}\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n`,
    )
    await expect.poll(() => countRows(database, 'running_requests')).toBe(1)
    const refused = await chat(other, key.secret)
    expect([refused.status, await refused.text()]).toEqual([
      429,
      expect.stringContaining('limit/concurrency'),
    ])
    caller.destroy()
    await expect.poll(() => countRows(database, 'running_requests')).toBe(0)
    await expect.poll(async () => (await chat(other, key.secret)).status).toBe(200)
  })

  it('send nothing for a caller that left while the database reserved', async () => {
    const key = await addKey(database, 'Writer', { budget: { picoUsd: 10n ** 12n, period: 'day' } })
    await expect.poll(async () => (await chat(one, key.secret)).status).toBe(200)
    await expect.poll(() => countRows(database, 'requests')).toBe(0)
    const { spent } = await sumsOf(database, key.id)
    const receipts = await countReceipts(database, key.id)
    const left = new AbortController()
    await database.transaction(async (statements) => {
      await statements.execute('SELECT 1 FROM ledgers FOR UPDATE')
      const asking = chat(one, key.secret, undefined, left.signal)
      await expect.poll(() => isWaitingForLock(database)).toBe(true)
      left.abort()
      await expect(asking).rejects.toThrow()
    })
    await expect.poll(() => countReceipts(database, key.id)).toBe(receipts + 1)
    expect(await sumsOf(database, key.id)).toEqual({ spent, reserved: 0n })
    const cancelled = await database.query(
      z.object({ privacy: z.string(), outcome: z.string() }),
      `SELECT body->>'privacy' AS privacy, body->>'outcome' AS outcome FROM receipts ORDER BY at DESC LIMIT 1`,
    )
    expect(cancelled).toEqual([{ privacy: 'refused', outcome: 'cancelled' }])
  })

  it('are not ready, and answer no key, while the database is away', async () => {
    const key = await addKey(database, 'Reader', {})
    await server.kill()
    const root = one.baseUrl.replace(/\/v1$/, '')
    await expect.poll(async () => (await fetch(`${root}/readyz`)).status).toBe(503)
    await expect.poll(async () => (await models(one, key.secret)).status).toBe(503)
    expect(await (await models(one, key.secret)).text()).toContain('database/unreachable')
    await server.start()
    await expect.poll(async () => (await models(one, key.secret)).status).toBe(200)
  })
})
