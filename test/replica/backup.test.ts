import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { deleteAllOldRecords, deleteOldRecords, listAbsences } from '../../src/replica/records.ts'
import { sweep } from '../../src/replica/leases.ts'
import { listKeys } from '../../src/replica/local-keys.ts'
import { migrate, newestOf } from '../../src/replica/migrate.ts'
import { countRows, createTestKey, createTestReplica, receiptOf, sumsOf } from './ledger-world.ts'
import { connect, createMigrated, describeWithPostgres, startPostgres } from './postgres.ts'

describeWithPostgres('saved records', () => {
  it('are the same after pg_dump and pg_restore, and requests in progress are charged at their most', async () => {
    const server = await startPostgres()
    const { address, database } = await createMigrated(server)
    const keyId = await createTestKey(database, { budget: { picoUsd: 100n, period: 'month' } })
    const replica = createTestReplica(database)
    const ended = await replica.reserve(keyId, 30n)
    replica.finish(keyId, ended.id, ended.reservation, 20n)
    await replica.reserve(keyId, 40n)
    await expect.poll(() => countRows(database, 'receipts')).toBe(1)

    const folder = mkdtempSync(join(tmpdir(), 'sotto-dump-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const dump = join(folder, 'sotto.dump')
    execFileSync(join(server.programs, 'pg_dump'), ['--format=custom', `--file=${dump}`, address])
    const restored = await server.createAddress()
    execFileSync(join(server.programs, 'pg_restore'), [
      '--exit-on-error',
      '--no-owner',
      `--dbname=${restored}`,
      dump,
    ])

    const copy = connect(restored)
    expect(await migrate(copy)).toEqual({ from: newestOf(), to: newestOf() })
    expect(await listKeys(copy)).toEqual(await listKeys(database))
    expect(await sumsOf(copy, keyId)).toEqual({ spent: 20n, reserved: 40n })
    expect(await sweep(copy)).toBe(1)
    expect(await sumsOf(copy, keyId)).toEqual({ spent: 60n, reserved: 0n })
    expect(await listAbsences(copy)).toMatchObject([{ keyId, chargedAtMost: 40n }])

    // The retention period ends receipts and absences, and no amount.
    replica.ledger.receipts.put(receiptOf('old', keyId, { at: Date.now() - 3 * 86_400_000 }))
    await expect.poll(() => countRows(database, 'receipts')).toBe(2)
    await database.execute(
      `INSERT INTO receipts (id, replica_id, at, body)
       SELECT number::text, gen_random_uuid(), now() - interval '3 days', '{}' FROM generate_series(1, 11000) AS number`,
    )
    expect(await deleteOldRecords(database, 2)).toBe(5_000)
    await deleteAllOldRecords(database, 2)
    expect(await deleteOldRecords(database, 2)).toBe(0)
    expect(await countRows(database, 'receipts')).toBe(1)
    expect(await sumsOf(database, keyId)).toEqual({ spent: 20n, reserved: 40n })
  })
})
