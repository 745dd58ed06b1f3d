import { beforeAll, expect, it } from 'vitest'
import { killAtRandom } from './killed-replicas.ts'
import { describeWithPostgres, startPostgres, type PostgresServer } from './postgres.ts'

/**
 * With this seed, the victim is a replica with an account, so both purchases reach replicas that live. `npm run fuzz` has
 * many rounds, with every kind of victim.
 */
const SEED = 3

describeWithPostgres('replicas of the real command', () => {
  let server: PostgresServer
  beforeAll(async () => {
    server = await startPostgres()
  })

  it('deliver requests that they pay separately, and lose nothing when another one is killed', async () => {
    const { delivered, paid, refused } = await killAtRandom(server, 1, SEED)
    // One replica pays at a time, so the second purchase waits for the first.
    expect({ delivered, paid, refused }).toEqual({
      delivered: 2,
      paid: 2,
      refused: {},
    })
  }, 240_000)
})
