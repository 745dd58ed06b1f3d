import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { unlockVault } from '../../../src/core/core.ts'
import { startSandbox, type Sandbox } from '../../../src/sandbox/index.ts'
import type { Status } from '../../../src/shared/status.ts'
import { sandboxFolder } from '../../sandbox/cached-roots.ts'
import { PLAINTEXT_MODEL, startWorld, type World, type WorldOptions } from '../../world.ts'

const PASSPHRASE = 'correct horse'
const body = { model: PLAINTEXT_MODEL, messages: [{ role: 'user', content: 'hello' }] }
const fails = (): Promise<never> => Promise.reject(new Error('no keychain here'))

let folder = ''
let sandbox: Sandbox
const clock = { ahead: 0 }
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sotto-records-'))
  sandbox = await startSandbox({ folder: await sandboxFolder(), pace: 'none' })
})
afterEach(async () => {
  await sandbox.close()
  await rm(folder, { recursive: true, force: true })
})

/** One start of Sotto on the same folder. @param passphrase empty: the vault stays shut */
async function start<T>(
  work: (world: World) => Promise<T>,
  passphrase = PASSPHRASE,
  options: WorldOptions = {},
): Promise<T> {
  const vault = () =>
    unlockVault({ mode: 'auto', folder, passphrase, keychain: { get: fails, set: fails, delete: fails } })
  await using world = await startWorld({ ...options, outlives: { sandbox, folder, clock }, vault })
  try {
    return await work(world)
  } finally {
    await world.core[Symbol.asyncDispose]()
    await world.vault.close()
  }
}
const second: WorldOptions = { profile: (profile) => ({ ...profile, id: 'second' }) }

const database = (profile = 'sandbox', name = 'sotto.db') => join(folder, 'profiles', profile, name)
function edit(profile: string, sql: string): void {
  const file = new DatabaseSync(database(profile))
  file.exec(sql)
  file.close()
}

/** Whether Sotto reports changed records, and whether it then works. */
async function state(world: World): Promise<{ reported: boolean; works: boolean }> {
  const { notices } = (await world.call('app/status')) as Status
  return {
    reported: notices.some(({ id }) => id === 'records-changed'),
    works: (await world.post(body)).status === 200,
  }
}
const intact = { reported: false, works: true }
const changed = { reported: true, works: false }

describe('two services on one vault', () => {
  it('have a root each: what was changed at one is reported at that one, and accepted there', async () => {
    for (const options of [{}, second, {}, second])
      expect(await start(state, PASSPHRASE, options)).toEqual(intact)
    edit('second', 'DELETE FROM local_keys')
    expect(await start(state)).toEqual(intact)
    expect(await start(state, PASSPHRASE, second)).toEqual(changed)
    await start((world) => world.call('app/acceptRecords'), PASSPHRASE, second)
    expect(await start(state)).toEqual(intact)
    const { reported } = await start(state, PASSPHRASE, second)
    expect(reported).toBe(false)
  })

  it('do not take each other’s database, with its root, for their own', async () => {
    await start(state)
    await start(state, PASSPHRASE, second)
    await start((world) => world.call('privacy/setAskBeforeNewRelease', { on: true }))
    edit('sandbox', 'PRAGMA wal_checkpoint(TRUNCATE)')
    edit('second', 'PRAGMA wal_checkpoint(TRUNCATE)')
    await copyFile(database('sandbox'), join(folder, 'first.db'))
    await copyFile(database('second'), database('sandbox'))
    expect(await start(state)).toEqual(changed)
    // The other one's own is still intact.
    expect(await start(state, PASSPHRASE, second)).toEqual(intact)
  })
})

describe('a vault that gets a passphrase later', () => {
  it('remembers the root at once: a database that is deleted before the next start is reported', async () => {
    await start(async (world) => {
      expect(world.vault.kind).toBe('memory')
      await world.call('privacy/setAskBeforeNewRelease', { on: true })
      expect(await world.call('vault/protect', { passphrase: PASSPHRASE })).toMatchObject({
        vault: { kind: 'file', state: 'open' },
      })
      await world.call('localApi/create', { name: 'A tool', limits: {} })
      expect(await state(world)).toEqual(intact)
    }, '')
    expect(await start(state)).toEqual(intact)
    await rm(database())
    expect(await start(state)).toEqual(changed)
  })
})

describe('a vault that was restored from its recovery copy', () => {
  async function saveCopy(): Promise<string> {
    return start(
      async (world) =>
        ((await world.call('vault/recoveryCopy', { passphrase: PASSPHRASE })) as { text: string }).text,
    )
  }
  async function restore(text: string): Promise<{ reported: boolean; works: boolean }> {
    // A vault that opens isn't replaced.
    await writeFile(join(folder, 'vault.json'), '{}')
    return start(async (world) => {
      expect(await world.call('vault/restore', { text, passphrase: PASSPHRASE })).toMatchObject({
        vault: { state: 'open' },
      })
      return state({
        ...world,
        post: (sent, headers) =>
          world.post(sent, { authorization: `Bearer ${world.core.localKey()}`, ...headers }),
      })
    }, '')
  }

  it('opens a database that is newer than the copy, and reports nothing', async () => {
    await start(state)
    const copy = await saveCopy()
    await start((world) => world.call('privacy/setAskBeforeNewRelease', { on: true }))
    expect(await restore(copy)).toEqual(intact)
    expect(await start(state)).toEqual(intact)
  })

  it('reports a database that is older than the copy', async () => {
    await start(state)
    edit('sandbox', 'PRAGMA wal_checkpoint(TRUNCATE)')
    await copyFile(database(), join(folder, 'earlier.db'))
    await start((world) => world.call('privacy/setAskBeforeNewRelease', { on: true }))
    const copy = await saveCopy()
    await copyFile(join(folder, 'earlier.db'), database())
    expect(await restore(copy)).toEqual(changed)
    await start((world) => world.call('app/acceptRecords'))
    expect((await start(state)).reported).toBe(false)
  })
})
