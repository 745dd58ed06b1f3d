import fc from 'fast-check'
import { beforeAll, expect, it } from 'vitest'
import type { Reservation } from '../../src/core/gateway/relay/budgets.ts'
import type { Database } from '../../src/replica/database.ts'
import { sweep } from '../../src/replica/leases.ts'
import { asSottoError } from '../../src/shared/errors.ts'
import type { Budget } from '../../src/shared/key-limits.ts'
import { createTestKey, createTestReplica, sumsOf, type TestReplica } from './ledger-world.ts'
import { createMigrated, describeWithPostgres, startPostgres, type PostgresServer } from './postgres.ts'
import {
  insertGroup,
  insertMember,
  insertOwnedKey,
  insertReplica,
  usedOf,
  wrongDays,
  type Used,
} from './team-world.ts'

const budget = (picoUsd: bigint): Budget => ({ picoUsd, period: 'total' })
const total = ({ spent, reserved }: Used): bigint => spent + reserved

async function startReplicas(database: Database, count: number): Promise<TestReplica[]> {
  const replicas = Array.from({ length: count }, () => createTestReplica(database))
  for (const { id } of replicas) await insertReplica(database, id)
  return replicas
}

const first = <T>([item]: readonly T[]): T => {
  if (item === undefined) throw new Error('There is no item.')
  return item
}

describeWithPostgres('budgets of members and groups', () => {
  let server: PostgresServer
  beforeAll(async () => {
    server = await startPostgres()
  })

  it('refuse a request that the key’s own budget covers, and reserve nothing then', async () => {
    const { database } = await createMigrated(server)
    const groupId = await insertGroup(database, budget(100n))
    const ann = await insertMember(database, { groupId, budget: budget(60n) })
    const ben = await insertMember(database, { groupId })
    const annKeys = [await insertOwnedKey(database, ann), await insertOwnedKey(database, ann)]
    const benKey = await insertOwnedKey(database, ben, { budget: budget(1000n) })
    const replica = first(await startReplicas(database, 1))

    const { id, reservation } = await replica.reserve(annKeys[0] ?? '', 40n)
    await expect(replica.reserve(annKeys[1] ?? '', 21n)).rejects.toMatchObject({
      code: 'budget/member-exceeded',
    })
    await expect(replica.reserve(benKey, 61n)).rejects.toMatchObject({ code: 'budget/group-exceeded' })
    await expect(replica.reserve(benKey, 1001n)).rejects.toMatchObject({ code: 'budget/exceeded' })
    expect(await sumsOf(database, benKey)).toEqual({ spent: 0n, reserved: 0n })
    expect(await usedOf(database, groupId)).toEqual({ spent: 0n, reserved: 40n })

    replica.finish(annKeys[0] ?? '', id, reservation, 10n)
    await expect.poll(() => usedOf(database, groupId)).toEqual({ spent: 10n, reserved: 0n })
    expect(await usedOf(database, ann)).toEqual({ spent: 10n, reserved: 0n })
    // Everything that the settlement freed can be used.
    await replica.reserve(annKeys[1] ?? '', 50n)
    await replica.reserve(benKey, 40n)
  })

  it('cover no request of unknown price, also if the key does', async () => {
    const { database } = await createMigrated(server)
    const groupId = await insertGroup(database, budget(100n))
    const key = await insertOwnedKey(database, await insertMember(database, { groupId }), {
      allowUnpriced: true,
    })
    const replica = first(await startReplicas(database, 1))
    await expect(replica.reserve(key, 'unknown')).rejects.toMatchObject({
      code: 'budget/team-price-unknown',
    })
  })

  it('count the requests of ended replicas, and their late receipts', async () => {
    const { database } = await createMigrated(server)
    const groupId = await insertGroup(database, budget(100n))
    const member = await insertMember(database, { groupId })
    const key = await insertOwnedKey(database, member)
    const replica = first(await startReplicas(database, 1))
    const { id, reservation } = await replica.reserve(key, 70n)
    await database.execute('UPDATE replicas SET alive_until = clock_timestamp()')
    expect(await sweep(database)).toBe(1)
    expect(await usedOf(database, groupId)).toEqual({ spent: 70n, reserved: 0n })
    replica.finish(key, id, reservation, 5n)
    await expect.poll(() => usedOf(database, groupId)).toEqual({ spent: 5n, reserved: 0n })
    expect(await wrongDays(database)).toEqual([])
  })

  const amount = fc.bigInt(0n, 40n)
  const step = fc.oneof(
    {
      weight: 8,
      arbitrary: fc.record({
        kind: fc.constant('reserve' as const),
        replica: fc.nat(2),
        key: fc.nat(),
        amount,
      }),
    },
    {
      weight: 6,
      arbitrary: fc.record({
        kind: fc.constant('settle' as const),
        which: fc.nat(),
        percent: fc.bigInt(0n, 100n),
      }),
    },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('wait' as const) }) },
  )

  it('are never overdrawn on any level, and wholly usable after settlement, in any order', async () => {
    const { database } = await createMigrated(server)
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.option(amount.map((each) => each * 3n)), { minLength: 3, maxLength: 3 }),
        fc.array(fc.record({ group: fc.nat(2), budget: fc.option(amount.map((each) => each * 2n)) }), {
          minLength: 4,
          maxLength: 6,
        }),
        fc.array(step, { maxLength: 40 }),
        async (groupBudgets, people, steps) => {
          const levels: { readonly id: string; readonly budget: bigint | null }[] = []
          const groups: string[] = []
          for (const each of groupBudgets) {
            const id = await insertGroup(database, each === null ? undefined : budget(each))
            groups.push(id)
            levels.push({ id, budget: each })
          }
          const keys: { readonly id: string; readonly levels: readonly string[] }[] = []
          for (const person of people) {
            const groupId = groups[person.group] ?? ''
            const personal = person.budget === null ? undefined : budget(person.budget)
            const member = await insertMember(database, { groupId, budget: personal })
            levels.push({ id: member, budget: person.budget })
            for (const limits of [{}, { budget: budget(50n) }])
              keys.push({ id: await insertOwnedKey(database, member, limits), levels: [member, groupId] })
          }
          // A key without an owner shares batches with the others.
          keys.push({ id: await createTestKey(database), levels: [] })
          const replicas = await startReplicas(database, 3)
          const open: {
            key: string
            id: string
            replica: TestReplica
            most: bigint
            reservation: Reservation
          }[] = []
          let running: Promise<unknown>[] = []
          const requireWithin = async (): Promise<void> => {
            for (const level of levels)
              if (level.budget !== null)
                expect(total(await usedOf(database, level.id))).toBeLessThanOrEqual(level.budget)
          }
          for (const each of steps) {
            if (each.kind === 'wait') {
              await Promise.all(running)
              running = []
              await requireWithin()
            } else if (each.kind === 'reserve') {
              const replica = replicas[each.replica] ?? first(replicas)
              const key = keys[each.key % keys.length] ?? first(keys)
              running.push(
                replica.reserve(key.id, each.amount).then(
                  ({ id, reservation }) =>
                    open.push({ key: key.id, id, replica, most: each.amount, reservation }),
                  (thrown: unknown) => expect(asSottoError(thrown).code).toMatch(/^budget\/(\w+-)?exceeded$/),
                ),
              )
            } else {
              const [request] = open.splice(each.which % Math.max(1, open.length), 1)
              if (request)
                request.replica.finish(
                  request.key,
                  request.id,
                  request.reservation,
                  (request.most * each.percent) / 100n,
                )
            }
          }
          await Promise.all(running)
          for (const { replica, key, id, reservation, most } of open)
            replica.finish(key, id, reservation, most)
          await expect.poll(() => replicas.every(({ ledger }) => ledger.counts().unsaved === 0)).toBe(true)
          await requireWithin()
          expect(await wrongDays(database)).toEqual([])
          for (const { id } of levels) expect((await usedOf(database, id)).reserved).toBe(0n)
          // What remains of the lowest level can be reserved to the last pico-dollar, and not more.
          for (const key of keys.filter(({ levels: ids }) => ids.length > 0)) {
            const remaining = keys.indexOf(key) % 2 === 1 ? [50n - total(await sumsOf(database, key.id))] : []
            for (const level of levels)
              if (level.budget !== null && key.levels.includes(level.id))
                remaining.push(level.budget - total(await usedOf(database, level.id)))
            // Without any budget, every amount can be reserved.
            if (remaining.length === 0) continue
            const left = remaining.reduce((least, each) => (each < least ? each : least))
            const replica = first(replicas)
            const refusal = await replica.reserve(key.id, left + 1n).catch(asSottoError)
            expect(refusal).toMatchObject({ code: expect.stringMatching(/exceeded$/) as string })
            await replica.reserve(key.id, left)
          }
        },
      ),
      { numRuns: Number(process.env['SOTTO_FUZZ_RUNS'] ?? 6) },
    )
  }, 120_000)
})
