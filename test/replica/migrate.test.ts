import { randomUUID } from 'node:crypto'
import { beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
import { startLease } from '../../src/replica/leases.ts'
import { createLedger } from '../../src/replica/ledger.ts'
import { asSottoError } from '../../src/shared/errors.ts'
import { migrate, newestOf, requireUsable } from '../../src/replica/migrate.ts'
import { migrations, type Migration } from '../../src/replica/migrations/index.ts'
import {
  connect,
  createMigrated,
  describeWithPostgres,
  startPostgres,
  type PostgresServer,
} from './postgres.ts'

function codeOf(work: () => void): string {
  try {
    work()
    return 'none'
  } catch (thrown) {
    return asSottoError(thrown).code
  }
}

const versionSchema = z.object({ version: z.int() })

const later = (count: number, additive = true): Migration[] =>
  Array.from({ length: count }, (_, index) => ({
    version: newestOf() + 1 + index,
    name: 'test',
    additive,
    sql: `CREATE TABLE added_${String(index)} (id integer)`,
  }))

describeWithPostgres('migrations', () => {
  let server: PostgresServer
  beforeAll(async () => {
    server = await startPostgres()
  })

  it('have versions without gaps, so that one version ahead is well-defined', () =>
    expect(migrations.map(({ version }) => version)).toEqual(migrations.map((_, index) => index + 1)))

  it('are applied once by replicas that start at the same moment', async () => {
    const address = await server.createAddress()
    const results = await Promise.all([1, 2, 3, 4].map(() => migrate(connect(address))))
    expect(results.map(({ from }) => from).sort()).toEqual([0, newestOf(), newestOf(), newestOf()])
    const rows = await connect(address).query(versionSchema, 'SELECT version FROM schema_versions ORDER BY 1')
    expect(rows.map(({ version }) => version)).toEqual(migrations.map(({ version }) => version))
  })

  it('permit one additive version ahead, and no other newer version', async () => {
    const { database } = await createMigrated(server)
    await migrate(database, { known: [...migrations, ...later(1)] })
    await expect(requireUsable(database)).resolves.toMatchObject({ version: newestOf() + 1 })
    await expect(migrate(database)).resolves.toEqual({ from: newestOf() + 1, to: newestOf() + 1 })
    await migrate(database, { known: [...migrations, ...later(2)] })
    await expect(requireUsable(database)).rejects.toMatchObject({ code: 'database/newer-version' })
    await expect(migrate(database)).rejects.toMatchObject({ code: 'database/newer-version' })
  })

  it('refuse a version ahead that is not additive', async () => {
    const { database } = await createMigrated(server)
    await migrate(database, { known: [...migrations, ...later(1, false)] })
    await expect(requireUsable(database)).rejects.toMatchObject({ code: 'database/newer-version' })
  })

  it('change nothing while a replica runs that could not continue', async () => {
    const { database } = await createMigrated(server)
    await database.execute(
      `INSERT INTO replicas (id, name, schema_version, alive_until)
       VALUES (gen_random_uuid(), 'old', $1, clock_timestamp() + interval '1 minute')`,
      [newestOf()],
    )
    for (const pending of [later(2), later(1, false)])
      await expect(migrate(database, { known: [...migrations, ...pending] })).rejects.toMatchObject({
        code: 'database/older-replicas',
      })
    await expect(requireUsable(database)).resolves.toMatchObject({ version: newestOf() })
    await expect(migrate(database, { known: [...migrations, ...later(1)] })).resolves.toMatchObject({
      to: newestOf() + 1,
    })
  })

  it('end the work of a running replica that can’t continue', async () => {
    const { database } = await createMigrated(server)
    await using lease = await startLease({ database, replicaId: randomUUID(), name: 'test', renewMs: 20 })
    lease.requireUsable()
    const ledger = createLedger({
      database,
      replicaId: 'r',
      now: Date.now,
      mayGoOn: () => true,
      requireUsable: () => lease.requireUsable(),
    })
    await database.execute('INSERT INTO schema_versions (version, name, additive) VALUES ($1, $2, $3)', [
      newestOf() + 1,
      'test',
      false,
    ])
    await expect.poll(() => codeOf(() => lease.requireUsable())).toBe('database/newer-version')
    await expect(
      ledger.budgets.reserve('key', 1n, { receiptId: 'id', isPrivate: true }),
    ).rejects.toMatchObject({ code: 'database/newer-version' })
  })

  it('leave nothing behind if one of them fails', async () => {
    const { database } = await createMigrated(server)
    const broken = later(2).map((each, index) => (index === 1 ? { ...each, sql: 'CREATE TABLE' } : each))
    await expect(migrate(database, { known: [...migrations, ...broken] })).rejects.toMatchObject({
      code: 'database/failed',
    })
    await expect(requireUsable(database)).resolves.toMatchObject({ version: newestOf() })
  })
})
