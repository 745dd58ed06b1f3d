import fc from 'fast-check'
import { beforeAll, expect, it } from 'vitest'
import { asSottoError, SottoError } from '../../src/shared/errors.ts'
import type { Database } from '../../src/replica/database.ts'
import { startLease, sweep } from '../../src/replica/leases.ts'
import { revokeKey } from '../../src/replica/local-keys.ts'
import { listAbsences } from '../../src/replica/records.ts'
import {
  countRows,
  createTestKey,
  createTestReplica,
  endTestLease,
  receiptOf,
  startTestLease,
  sumsOf,
} from './ledger-world.ts'
import {
  connect,
  createMigrated,
  describeWithPostgres,
  startPostgres,
  type PostgresServer,
} from './postgres.ts'

const codeOf = async (work: Promise<unknown> | undefined): Promise<string> => {
  try {
    await work
    return 'none'
  } catch (thrown) {
    return asSottoError(thrown).code
  }
}

const DOLLAR = 1_000_000_000_000n

describeWithPostgres('the shared ledger', () => {
  let server: PostgresServer
  beforeAll(async () => {
    server = await startPostgres()
  })
  const world = async (): Promise<{ address: string; database: Database }> => createMigrated(server)

  it('lets 256 callers at 4 replicas use a budget of $1, never more, and at least 99 % of it', async () => {
    const { address, database } = await world()
    const keyId = await createTestKey(database, { budget: { picoUsd: DOLLAR, period: 'total' } })
    const replicas = [1, 2, 3, 4].map(() => createTestReplica(connect(address)))
    const most = DOLLAR / 200n
    let charged = 0n
    await Promise.all(
      Array.from({ length: 256 }, async (_, caller) => {
        const replica = replicas[caller % replicas.length]
        if (!replica) throw new Error('There is no replica.')
        for (let turn = 0; turn < 1_000; turn++) {
          let request
          try {
            request = await replica.reserve(keyId, most)
          } catch (thrown) {
            expect(thrown).toMatchObject({ code: 'budget/exceeded' })
            const { spent, reserved } = await sumsOf(database, keyId)
            expect(spent + reserved).toBeLessThanOrEqual(DOLLAR)
            // Another caller's reservation may be freed, so the caller asks again until none is left.
            if (reserved === 0n) return
            continue
          }
          const cost = (most * BigInt(1 + (caller % 4))) / 4n
          charged += cost
          replica.finish(keyId, request.id, request.reservation, cost)
        }
      }),
    )
    await Promise.all(replicas.map(({ ledger }) => ledger[Symbol.asyncDispose]()))
    const { spent, reserved } = await sumsOf(database, keyId)
    expect({ spent, reserved }).toEqual({ spent: charged, reserved: 0n })
    expect(spent).toBeLessThanOrEqual(DOLLAR)
    expect(spent).toBeGreaterThanOrEqual((DOLLAR * 99n) / 100n)
  })

  it('settles a request with its receipt, once, whatever it cost', async () => {
    const { database } = await world()
    const keyId = await createTestKey(database, { budget: { picoUsd: 100n, period: 'day' } })
    const replica = createTestReplica(database)
    const first = await replica.reserve(keyId, 60n)
    await expect(replica.reserve(keyId, 41n)).rejects.toMatchObject({ code: 'budget/exceeded' })
    await expect(replica.reserve(keyId, 'unknown')).rejects.toMatchObject({ code: 'budget/price-unknown' })
    expect(await sumsOf(database, keyId)).toEqual({ spent: 0n, reserved: 60n })
    replica.finish(keyId, first.id, first.reservation, 'unknown')
    expect(first.reservation.settle(5n)).toBe(60n)
    await replica.ledger[Symbol.asyncDispose]()
    expect(await sumsOf(database, keyId)).toEqual({ spent: 60n, reserved: 0n })
    expect(await countRows(database, 'requests')).toBe(0)
    // 41 were refused, and that request has a receipt in the product, which the relay writes.
    expect(await countRows(database, 'receipts')).toBe(1)
  })

  it('shares requests and tokens per minute', async () => {
    const { address, database } = await world()
    const replicas = [createTestReplica(connect(address)), createTestReplica(connect(address))]
    const [one, other] = replicas
    if (!one || !other) throw new Error('There are two replicas.')
    const limits = { requestsPerMinute: 10 }
    const key = { id: await createTestKey(database, limits), limits }
    const results = await Promise.allSettled(
      Array.from({ length: 20 }, async (_, index) => (index % 2 === 0 ? one : other).ledger.limits.take(key)),
    )
    const refused = results.filter(({ status }) => status === 'rejected')
    expect(refused).toHaveLength(10)
    expect(refused[0]).toMatchObject({ reason: { code: 'limit/requests' } })

    const tokens = { tokensPerMinute: 100 }
    const counted = { id: await createTestKey(database, tokens), limits: tokens }
    await other.ledger.limits.take(counted)
    one.ledger.receipts.put(receiptOf('r1', counted.id, { usage: { prompt: 60, completion: 40 } }))
    await expect.poll(() => codeOf(other.ledger.limits.take(counted))).toBe('limit/tokens')
  })

  it('shares the limit of parallel requests, and frees what an ended replica used', async () => {
    const { address, database } = await world()
    const replicas = [createTestReplica(connect(address)), createTestReplica(connect(address))]
    const [one, other] = replicas
    if (!one || !other) throw new Error('There are two replicas.')
    for (const replica of replicas) await startTestLease(database, replica)
    const limits = { parallelRequests: 3 }
    const key = { id: await createTestKey(database, limits), limits }
    const results = await Promise.allSettled(
      Array.from({ length: 20 }, async (_, index) => (index % 2 === 0 ? one : other).ledger.limits.take(key)),
    )
    const ends = results.flatMap((each) => (each.status === 'fulfilled' && each.value ? [each.value] : []))
    expect(ends).toHaveLength(3)
    expect(results.find(({ status }) => status === 'rejected')).toMatchObject({
      reason: { code: 'limit/concurrency', details: { retryAfterSeconds: 1 } },
    })
    ends[0]?.()
    await expect.poll(() => codeOf(other.ledger.limits.take(key))).toBe('none')
    expect(await codeOf(one.ledger.limits.take(key))).toBe('limit/concurrency')
    const third = createTestReplica(connect(address))
    await startTestLease(database, third)
    for (const replica of replicas) await endTestLease(database, replica)
    expect(await codeOf(third.ledger.limits.take(key))).toBe('none')
    await sweep(database)
    expect(await countRows(database, 'running_requests')).toBe(1)
  })

  it('counts the requests of a replica again that was paused, and forgets what it doesn’t know', async () => {
    const { database } = await world()
    const [paused, other] = [createTestReplica(database), createTestReplica(database)]
    for (const replica of [paused, other]) await startTestLease(database, replica)
    const limits = { parallelRequests: 1 }
    const key = { id: await createTestKey(database, limits), limits }
    const end = await paused.ledger.limits.take(key)
    await endTestLease(database, paused)
    await sweep(database)
    expect(await countRows(database, 'running_requests')).toBe(0)
    await using lease = await startLease({
      database,
      replicaId: paused.id,
      name: 'test',
      ownRequests: paused.ownRequests,
      renewMs: 10,
    })
    await expect.poll(() => countRows(database, 'running_requests')).toBe(1)
    expect(await codeOf(other.ledger.limits.take(key))).toBe('limit/concurrency')
    end?.()
    await database.execute(
      `INSERT INTO running_requests (id, key_id, replica_id, begun_at)
       VALUES (gen_random_uuid(), $1, $2, clock_timestamp() - interval '11 seconds')`,
      [key.id, paused.id],
    )
    await expect.poll(() => countRows(database, 'running_requests')).toBe(0)
    expect(lease.counts().charged).toBe(0)
    expect(await codeOf(other.ledger.limits.take(key))).toBe('none')
  })

  it('accepts the next request of a caller at another replica while the end of the one before commits', async () => {
    const { address, database } = await world()
    const [one, other] = [createTestReplica(connect(address)), createTestReplica(connect(address))]
    for (const replica of [one, other]) await startTestLease(database, replica)
    const limits = { parallelRequests: 1 }
    const key = { id: await createTestKey(database, limits), limits }
    for (let turn = 0; turn < 20; turn++) {
      const end = await (turn % 2 === 0 ? one : other).ledger.limits.take(key)
      end?.()
    }
  })

  it('ends a parallel request whose commit may have failed', async () => {
    const { address, database } = await world()
    const connection = connect(address)
    let fails = 1
    const replica = createTestReplica({
      ...connection,
      async transaction(work) {
        const result = await connection.transaction(work)
        if (fails-- > 0) throw new SottoError('database/unreachable')
        return result
      },
    })
    await startTestLease(database, replica)
    const limits = { parallelRequests: 1 }
    const key = { id: await createTestKey(database, limits), limits }
    expect(await codeOf(replica.ledger.limits.take(key))).toBe('database/unreachable')
    await expect.poll(() => countRows(database, 'running_requests')).toBe(0)
    expect(await codeOf(replica.ledger.limits.take(key))).toBe('none')
  })

  it('never has more parallel requests than the limit, whatever replicas and connections do', async () => {
    const { database } = await world()
    const step = fc.record({
      replica: fc.nat(2),
      kind: fc.constantFrom('begin', 'begin', 'begin', 'end', 'end', 'wait', 'wait', 'sweep'),
    })
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { maxLength: 40 }),
        fc.array(fc.constantFrom('none', 'none', 'none', 'before', 'after'), { maxLength: 40 }),
        async (steps, faults) => {
          const limits = { parallelRequests: 2 }
          const key = { id: await createTestKey(database, limits), limits }
          const replicas = [0, 1, 2].map((at) => {
            let turn = at
            return createTestReplica({
              ...database,
              async transaction(work) {
                const fault = faults[(turn += 3)] ?? 'none'
                if (fault === 'before') throw new SottoError('database/unreachable')
                const result = await database.transaction(work)
                if (fault === 'after') throw new SottoError('database/unreachable')
                return result
              },
            })
          })
          for (const replica of replicas) await startTestLease(database, replica)
          let running: Promise<unknown>[] = []
          const ends: (() => void)[] = []
          for (const { replica, kind } of steps) {
            if (kind === 'begin')
              running.push(
                Promise.resolve(replicas[replica]?.ledger.limits.take(key)).then(
                  (end) => {
                    if (end) ends.push(end)
                    expect(ends.length).toBeLessThanOrEqual(2)
                  },
                  (thrown: unknown) =>
                    expect(['limit/concurrency', 'database/unreachable']).toContain(
                      asSottoError(thrown).code,
                    ),
                ),
              )
            else if (kind === 'end') ends.pop()?.()
            else if (kind === 'sweep') running.push(sweep(database))
            else {
              await Promise.all(running)
              running = []
            }
          }
          await Promise.all(running)
          for (const end of ends.splice(0)) end()
          await expect.poll(() => replicas.every(({ ledger }) => ledger.counts().unsaved === 0)).toBe(true)
          expect(await countRows(database, 'running_requests')).toBe(0)
        },
      ),
      { numRuns: 40 },
    )
  })

  it('has nothing to wait for without such limits', () =>
    expect(
      createTestReplica(connect('postgres://ann@127.0.0.1:1/none')).ledger.limits.take({
        id: 'k',
        limits: {},
      }),
    ).toBe(undefined))

  it('refuses a revoked key in the database itself', async () => {
    const { database } = await world()
    const keyId = await createTestKey(database)
    const replica = createTestReplica(database)
    await replica.reserve(keyId, 1n)
    await revokeKey(database, keyId)
    await expect(replica.reserve(keyId, 1n)).rejects.toMatchObject({ code: 'auth/revoked-api-key' })
  })

  it('charges requests of an ended replica at their most, and corrects that when a receipt arrives', async () => {
    const { address, database } = await world()
    const keyId = await createTestKey(database, { budget: { picoUsd: 1_000n, period: 'month' } })
    const [paused, alive] = [createTestReplica(connect(address)), createTestReplica(connect(address))]
    await database.execute(
      `INSERT INTO replicas (id, name, schema_version, alive_until)
       VALUES ($1, 'alive', 1, clock_timestamp() + interval '1 minute'), ($2, 'paused', 1, clock_timestamp())`,
      [alive.id, paused.id],
    )
    const late = await paused.reserve(keyId, 300n)
    await paused.reserve(keyId, 200n)
    await alive.reserve(keyId, 50n)
    expect(await sweep(database)).toBe(2)
    expect(await sweep(database)).toBe(0)
    expect(await sumsOf(database, keyId)).toEqual({ spent: 500n, reserved: 50n })
    expect(await listAbsences(database)).toMatchObject([
      { replica: 'paused', keyId },
      { replica: 'paused', keyId },
    ])
    paused.finish(keyId, late.id, late.reservation, 10n)
    await expect.poll(() => sumsOf(database, keyId)).toEqual({ spent: 210n, reserved: 50n })
    expect((await listAbsences(database)).map(({ chargedAtMost }) => chargedAtMost)).toEqual([200n])
  })

  it('refuses budgeted requests while the database is away, and saves what ended then', async () => {
    const { address, database } = await world()
    const keyId = await createTestKey(database, { budget: { picoUsd: 100n, period: 'total' } })
    const free = await createTestKey(database)
    const replica = createTestReplica(connect(address), {
      mayGoOn: (key, isPrivate) => key === free && isPrivate,
    })
    const running = await replica.reserve(keyId, 60n)
    await server.kill()
    await expect(replica.reserve(keyId, 1n)).rejects.toMatchObject({ code: 'database/unreachable' })
    const inGrace = await replica.reserve(free, 7n)
    replica.finish(free, inGrace.id, inGrace.reservation, 3n)
    replica.finish(keyId, running.id, running.reservation, 20n)
    await server.start()
    await expect.poll(() => sumsOf(database, keyId)).toEqual({ spent: 20n, reserved: 0n })
    await expect.poll(() => sumsOf(database, free)).toEqual({ spent: 3n, reserved: 0n })
    expect(await countRows(database, 'requests')).toBe(0)
    expect(await countRows(database, 'receipts')).toBe(2)
  })
})
