import { beforeAll, expect, it } from 'vitest'
import { killAtRandom } from '../replica/killed-replicas.ts'
import { describeWithPostgres, startPostgres, type PostgresServer } from '../replica/postgres.ts'

/**
 * Each round takes about 10 seconds, most of which is the wait for a lease. The printed seed gives the same victims and
 * delays, but not always the same timing.
 */
const ROUNDS = Number(process.env['SOTTO_FUZZ_RUNS'] ?? '100')

describeWithPostgres('replicas and PostgreSQL', () => {
  let server: PostgresServer
  beforeAll(async () => {
    server = await startPostgres()
  })

  it(`lose nothing and pay nothing twice when one is killed ${String(ROUNDS)} times`, async () => {
    const seed = Number(process.env['SOTTO_FUZZ_SEED'] ?? Date.now() % 1_000_000)
    const outcome = await killAtRandom(server, ROUNDS, seed, (round) => {
      if (round % 10 === 9) console.log(`${String(round + 1)} kills, seed ${String(seed)}`)
    })
    console.log(JSON.stringify({ seed, ...outcome }))
    expect(outcome.chats).toBeGreaterThan(ROUNDS)
    expect(outcome.delivered).toBeGreaterThan(ROUNDS)
  }, 3_600_000)
})
