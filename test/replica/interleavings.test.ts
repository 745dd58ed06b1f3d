import fc from 'fast-check'
import { beforeAll, expect, it } from 'vitest'
import type { Reservation } from '../../src/core/gateway/relay/budgets.ts'
import type { Database } from '../../src/replica/database.ts'
import { sweep } from '../../src/replica/leases.ts'
import { SottoError } from '../../src/shared/errors.ts'
import {
  countRows,
  createTestKey,
  createTestReplica,
  endTestLease,
  startTestLease,
  sumsOf,
  type TestReplica,
} from './ledger-world.ts'
import { createMigrated, describeWithPostgres, startPostgres, type PostgresServer } from './postgres.ts'

const BUDGET = 100n

/** One step of a schedule. Steps overlap, except at `wait`. */
const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('reserve' as const),
      replica: fc.nat(2),
      most: fc.bigInt(0n, 45n),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('settle' as const),
      which: fc.nat(),
      percent: fc.bigInt(0n, 100n),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('end' as const), replica: fc.nat(2) }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('wait' as const) }) },
)
/** What the network does to each transaction in turn: a broken connection before or after the commit. */
const fault = fc.oneof(
  { weight: 8, arbitrary: fc.constant('none' as const) },
  { weight: 1, arbitrary: fc.constant('before' as const) },
  { weight: 1, arbitrary: fc.constant('after' as const) },
)

interface Request {
  readonly id: string
  readonly replica: TestReplica
  readonly most: bigint
  readonly reservation: Reservation
  cost: bigint | undefined
}

function withFaults(database: Database, faults: readonly ('none' | 'before' | 'after')[]): Database {
  let turn = 0
  return {
    ...database,
    async transaction(work) {
      const now = faults[turn++] ?? 'none'
      if (now === 'before') throw new SottoError('database/unreachable')
      const result = await database.transaction(work)
      if (now === 'after') throw new SottoError('database/unreachable')
      return result
    },
  }
}

describeWithPostgres('reservations in any order', () => {
  let server: PostgresServer
  beforeAll(async () => {
    server = await startPostgres()
  })

  it('are never overdrawn, leaked or charged twice, whatever replicas and connections do', async () => {
    const { database } = await createMigrated(server)
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { maxLength: 40 }),
        fc.array(fault, { maxLength: 40 }),
        async (steps, faults) => {
          const keyId = await createTestKey(database, { budget: { picoUsd: BUDGET, period: 'total' } })
          const replicas = [0, 1, 2].map((at) =>
            createTestReplica(withFaults(database, faults.slice(at * 10))),
          )
          const ended = new Set<TestReplica>()
          for (const replica of replicas) await startTestLease(database, replica)
          const requests: Request[] = []
          let running: Promise<unknown>[] = []
          const spends = async (): Promise<void> => {
            const { spent, reserved } = await sumsOf(database, keyId)
            expect(spent + reserved).toBeLessThanOrEqual(BUDGET)
          }
          for (const each of steps) {
            if (each.kind === 'wait') {
              await Promise.all(running)
              running = []
              await spends()
            } else if (each.kind === 'reserve') {
              const replica = replicas[each.replica]
              if (!replica) throw new Error('There is no replica.')
              running.push(
                replica.reserve(keyId, each.most).then(
                  ({ id, reservation }) =>
                    requests.push({ id, replica, most: each.most, reservation, cost: undefined }),
                  (thrown: unknown) =>
                    expect(['budget/exceeded', 'database/unreachable']).toContain(codeOf(thrown)),
                ),
              )
            } else if (each.kind === 'settle') {
              const open = requests.filter(({ cost }) => cost === undefined)
              const request = open[each.which % Math.max(1, open.length)]
              if (!request) continue
              request.cost = (request.most * each.percent) / 100n
              request.replica.finish(keyId, request.id, request.reservation, request.cost)
            } else {
              const replica = replicas[each.replica]
              if (!replica) throw new Error('There is no replica.')
              ended.add(replica)
              running.push(endTestLease(database, replica).then(() => sweep(database)))
            }
          }
          await Promise.all(running)
          await expect.poll(() => replicas.every(({ ledger }) => ledger.counts().unsaved === 0)).toBe(true)
          await sweep(database)
          const open = requests.filter(({ cost }) => cost === undefined)
          const sum = (some: Request[], amount: (request: Request) => bigint): bigint =>
            some.reduce((all, request) => all + amount(request), 0n)
          expect(await sumsOf(database, keyId)).toEqual({
            spent:
              sum(requests, ({ cost = 0n }) => cost) +
              sum(
                open.filter(({ replica }) => ended.has(replica)),
                ({ most }) => most,
              ),
            reserved: sum(
              open.filter(({ replica }) => !ended.has(replica)),
              ({ most }) => most,
            ),
          })
          await spends()
          await database.execute('DELETE FROM requests')
          expect(await countRows(database, 'requests')).toBe(0)
        },
      ),
      { numRuns: Number(process.env['SOTTO_FUZZ_RUNS'] ?? 15) },
    )
  })
})

function codeOf(thrown: unknown): string {
  return thrown instanceof SottoError ? thrown.code : String(thrown)
}
