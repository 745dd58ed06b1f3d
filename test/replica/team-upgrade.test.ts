import { randomUUID } from 'node:crypto'
import { beforeAll, expect, it } from 'vitest'
import type { Database } from '../../src/replica/database.ts'
import { migrate } from '../../src/replica/migrate.ts'
import { migrations } from '../../src/replica/migrations/index.ts'
import { settle } from '../../src/replica/settle.ts'
import { createTestReplica, receiptOf, sumsOf } from './ledger-world.ts'
import { connect, describeWithPostgres, startPostgres, type PostgresServer } from './postgres.ts'
import { insertGroup, insertMember, insertOwnedKey, insertReplica, usedOf, wrongDays } from './team-world.ts'

/** The settlement of a replica of version 2, which locks only the ledger. */
function settleAsVersion2(
  database: Database,
  replicaId: string,
  keyId: string,
  receiptId: string,
): Promise<void> {
  return database.transaction(async (statements) => {
    await statements.execute('SELECT 1 FROM ledgers WHERE key_id = $1 FOR UPDATE', [keyId])
    await settle(statements, replicaId, [
      {
        kind: 'settle',
        receiptId,
        keyId,
        day: 20_000,
        charged: 3n,
        receipt: receiptOf(receiptId, keyId, { charged: '3' }),
      },
    ])
  })
}

async function insertRequest(database: Database, replicaId: string, keyId: string): Promise<void> {
  await database.execute(
    'INSERT INTO requests (id, key_id, replica_id, day, reserved) VALUES ($1, $2, $3, 20000, 0)',
    [randomUUID(), keyId, replicaId],
  )
}

describeWithPostgres('an upgrade from version 2 to teams', () => {
  let server: PostgresServer
  let database: Database
  beforeAll(async () => {
    server = await startPostgres()
  })
  async function upgrade(): Promise<void> {
    database = connect(await server.createAddress())
    await migrate(database, { known: migrations.slice(0, 2) })
    const old = randomUUID()
    await insertReplica(database, old, 2)
    await expect(migrate(database, { known: migrations.slice(0, 3) })).resolves.toMatchObject({ from: 2 })
  }

  it('continues while a replica of version 2 runs, which can’t reserve for the keys of members', async () => {
    await upgrade()
    const [old, current] = [randomUUID(), randomUUID()]
    await insertReplica(database, old, 2)
    await insertReplica(database, current)
    const key = await insertOwnedKey(database, await insertMember(database))
    await expect(insertRequest(database, old, key)).rejects.toMatchObject({ code: 'database/failed' })
    // A replica without a lease may be of any version.
    await expect(insertRequest(database, randomUUID(), key)).rejects.toMatchObject({
      code: 'database/failed',
    })
    await insertRequest(database, current, key)
  })

  it('counts the settlements of version 2 for members and groups, without a deadlock', async () => {
    await upgrade()
    const [old, current] = [randomUUID(), createTestReplica(database)]
    await insertReplica(database, old, 2)
    await insertReplica(database, current.id)
    const groups = [await insertGroup(database), await insertGroup(database)]
    const keys: string[] = []
    for (const groupId of [...groups, ...groups])
      keys.push(await insertOwnedKey(database, await insertMember(database, { groupId })))
    const work: Promise<unknown>[] = []
    for (let turn = 0; turn < 10; turn++)
      for (const key of keys) {
        work.push(settleAsVersion2(database, old, key, `v2-${String(turn)}-${key}`))
        work.push(
          current.reserve(key, 5n).then(({ id, reservation }) => current.finish(key, id, reservation, 1n)),
        )
      }
    await Promise.all(work)
    await expect.poll(() => current.ledger.counts().unsaved).toBe(0)
    expect(await wrongDays(database)).toEqual([])
    for (const key of keys) expect(await sumsOf(database, key)).toEqual({ spent: 40n, reserved: 0n })
    for (const group of groups) expect(await usedOf(database, group)).toEqual({ spent: 80n, reserved: 0n })
  })
})
