import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { unlockVault } from '../../../src/core/core.ts'
import { startSandbox, type Sandbox } from '../../../src/sandbox/index.ts'
import { sandboxFolder } from '../../sandbox/cached-roots.ts'
import { startWorld } from '../../world.ts'

let folder = ''
let sandbox: Sandbox
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sotto-damaged-'))
  sandbox = await startSandbox({ folder: await sandboxFolder(), pace: 'none' })
})
afterEach(async () => {
  await sandbox.close()
  await rm(folder, { recursive: true, force: true })
})

const start = () =>
  startWorld({
    vault: (at) => unlockVault({ mode: 'file', folder: at, passphrase: 'correct horse' }),
    outlives: { sandbox, folder, clock: { ahead: 0 } },
  })

function onFile<T>(work: (database: DatabaseSync) => T): T {
  const database = new DatabaseSync(join(folder, 'profiles', 'sandbox', 'sotto.db'))
  try {
    return work(database)
  } finally {
    database.close()
  }
}

test.each([
  ['topups', "INSERT INTO topups (id, at, body) VALUES ('t', 1, zeroblob(64))", 'topups/list'],
  [
    'payments',
    "INSERT INTO payments (id, at, state, reserved_at, hash_index, body) VALUES ('p', 1, 'paid', 1, zeroblob(32), zeroblob(64))",
    'purchases/list',
  ],
  [
    'jobs',
    "INSERT INTO jobs (id, at, kind, state, purchase_id, body) VALUES ('j', 1, 'image', 'working', NULL, zeroblob(64))",
    'studio/list',
  ],
])('one of the %s that does not open keeps nothing else shut', async (_table, sql, path) => {
  await (await start())[Symbol.asyncDispose]()
  onFile((database) => database.exec(sql))
  await using world = await start()
  // Only a call for the damaged records reports the damage.
  expect(await world.call('conversations/list')).toEqual([])
  expect(await world.call(path, path === 'studio/list' ? { limit: 10 } : undefined)).toMatchObject({
    data: { code: 'store/damaged' },
  })
})

test('a job that does not open keeps no verdict in force beyond a sleep', async () => {
  await (await start())[Symbol.asyncDispose]()
  onFile((database) =>
    database.exec(
      "INSERT INTO jobs (id, at, kind, state, purchase_id, body) VALUES ('j', 1, 'image', 'working', NULL, zeroblob(64))",
    ),
  )
  await using world = await start()
  // Until the records are accepted, nothing is verified at all.
  await world.core.verifyEnclave()
  expect(world.core.status().verdict).toBeNull()
  await world.call('app/acceptRecords')
  await world.core.verifyEnclave()
  const verified = world.core.status().verdict?.verifiedAt ?? expect.unreachable()
  world.clock.ahead += 1_000
  await world.core.renewVerdict()
  expect(world.core.status().verdict?.verifiedAt).toBeGreaterThan(verified)
})
