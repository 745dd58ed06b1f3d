import { copyFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { unlockVault } from '../../../src/core/core.ts'
import { createStore } from '../../../src/core/storage/index.ts'
import { startSandbox, type Sandbox } from '../../../src/sandbox/index.ts'
import type { Profile } from '../../../src/shared/profile.ts'
import { renderEnglish } from '../../../src/shared/localized-text.ts'
import type { Status } from '../../../src/shared/status.ts'
import { sandboxFolder } from '../../sandbox/cached-roots.ts'
import {
  chatRequests,
  PLAINTEXT_MODEL,
  PRIVATE_MODEL,
  startWorld,
  type World,
  type WorldOptions,
} from '../../world.ts'
import { job } from './job-examples.ts'
import { askChat } from '../conversations/ask-chat.ts'

const refused = { data: { code: 'store/rows-changed' } }
const body = { model: PRIVATE_MODEL, messages: [{ role: 'user', content: 'hello' }] }

let folder = ''
let sandbox: Sandbox
const clock = { ahead: 0 }
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sotto-changed-'))
  sandbox = await startSandbox({ folder: await sandboxFolder(), pace: 'none' })
})
afterEach(async () => {
  await sandbox.close()
  await rm(folder, { recursive: true, force: true })
})

/** One start of Sotto on the same folder, from the beginning to the orderly end. */
async function start<T>(work: (world: World) => Promise<T>, options: WorldOptions = {}): Promise<T> {
  await using world = await startWorld({
    ...options,
    outlives: { sandbox, folder, clock },
    vault: () => unlockVault({ mode: 'file', folder, passphrase: 'correct horse' }),
  })
  return await work(world)
}

const database = () => join(folder, 'profiles', 'sandbox', 'sotto.db')

function edit(sql: string): void {
  const file = new DatabaseSync(database())
  file.exec(sql)
  file.close()
}

async function notices(world: World): Promise<string[]> {
  const status = (await world.call('app/status')) as Status
  return status.notices.filter(({ id }) => id === 'records-changed').map(({ says }) => renderEnglish(says))
}

async function requireStrict(world: World): Promise<void> {
  world.sandbox.clearReceived()
  expect(
    (await askChat(world, 'chat/send', { model: PRIVATE_MODEL, text: 'a secret' })).events.at(-1),
  ).toMatchObject({ type: 'ended', answer: { state: 'failed', errorCode: 'store/rows-changed' } })
  expect(await world.call('privacy/verify')).toMatchObject(refused)
  for (const model of [PRIVATE_MODEL, PLAINTEXT_MODEL]) {
    const response = await world.post({ ...body, model })
    expect([response.status, response.headers.get('x-should-retry')]).toEqual([503, 'false'])
    expect(await response.json()).toMatchObject({ error: { code: 'store/rows-changed' } })
  }
  expect(chatRequests(world.sandbox)).toEqual([])
}

async function requireUsual(world: World): Promise<void> {
  expect(await notices(world)).toEqual([])
  expect(
    (await askChat(world, 'chat/send', { model: PRIVATE_MODEL, text: 'a secret' })).events.at(-1),
  ).toMatchObject({ type: 'ended', answer: { state: 'complete', privacy: 'sealed' } })
  expect((await world.post(body)).status).toBe(200)
}

it('accepts intact records, however often Sotto starts', async () => {
  for (const _ of [1, 2, 3]) await start(requireUsual)
})

it('refuses private chats and local keys after a row was deleted, until the person accepts the records outside the window', async () => {
  await start(async (world) => {
    await requireUsual(world)
    await world.call('privacy/setAskBeforeNewRelease', { on: true })
  })
  edit("DELETE FROM settings WHERE name = 'ask-before-new-release'")

  const asked: string[] = []
  await start(
    async (world) => {
      expect(await notices(world)).toEqual([
        'Saved records were changed outside Sotto (settings and pins: 1 record missing). Private chats, local keys, and payments are off until you accept the records.',
      ])
      await requireStrict(world)
      expect(await world.call('app/acceptRecords')).toMatchObject({ data: { code: 'confirm/refused' } })
      await requireStrict(world)
      expect(asked).toEqual([
        'Accept the saved records as they are now (settings and pins: 1 record missing)? Pins, limits, revoked keys or payments that are missing can’t be recovered.',
      ])
    },
    {
      confirm: (question) => {
        asked.push(question)
        return false
      },
    },
  )

  await start(async (world) => {
    await requireStrict(world)
    await world.call('app/acceptRecords')
    await requireUsual(world)
    // There is nothing to accept, and nothing is asked.
    expect(await world.call('app/acceptRecords')).toMatchObject({ version: 'test' })
  })
  await start(requireUsual)
})

it('restores the strict firmware floor after the row that accepted the lower one was deleted', async () => {
  const profile = (before: Profile): Profile => {
    const { sevSnp, ...policy } = before.policy!
    const { Genoa } = sevSnp!.products
    return {
      ...before,
      policy: {
        ...policy,
        sevSnp: {
          ...sevSnp!,
          products: { Genoa: { ...Genoa!, providerMinimumTcb: { ...Genoa!.minimumTcb, snp: 8 } } },
        },
      },
    }
  }
  await start((world) => world.call('privacy/setProviderFloors', { accepted: true }), { profile })
  await start(
    async (world) =>
      expect(await world.call('privacy/choices')).toMatchObject({ providerFloors: { accepted: true } }),
    { profile },
  )
  edit("DELETE FROM settings WHERE name = 'accepted-provider-floors'")
  await start(
    async (world) => {
      expect(await notices(world)).toEqual([expect.stringContaining('settings and pins: 1 record missing')])
      await requireStrict(world)
      await world.call('app/acceptRecords')
      expect(await world.call('privacy/choices')).toMatchObject({ providerFloors: { accepted: false } })
      expect(await world.call('privacy/verify')).not.toHaveProperty('notices')
    },
    { profile },
  )
})

it('doesn’t re-enable a revoked local key whose row was replaced with an earlier one', async () => {
  const { id, secret, row } = await start(async (world) => {
    const {
      key: { id },
      secret,
    } = (await world.call('localApi/create', { name: 'A tool', limits: {} })) as {
      key: { id: string }
      secret: string
    }
    expect((await world.post(body, { authorization: `Bearer ${secret}` })).status).toBe(200)
    const file = new DatabaseSync(database(), { readOnly: true })
    const row = Buffer.from(
      file.prepare('SELECT body FROM local_keys WHERE id = ?').get(id)?.['body'] as Uint8Array,
    ).toString('hex')
    file.close()
    await world.call('localApi/revoke', { keyId: id })
    return { id, secret, row }
  })
  edit(`UPDATE local_keys SET body = x'${row}' WHERE id = '${id}'`)
  await start(async (world) => {
    expect(await notices(world)).toEqual([expect.stringContaining('local keys: content changed')])
    const response = await world.post(body, { authorization: `Bearer ${secret}` })
    expect(await response.json()).toMatchObject({ error: { code: 'store/rows-changed' } })
  })
})

it.each<[string, (earlier: string) => Promise<void>]>([
  ['was deleted', () => rm(database())],
  ['is a copy from an earlier start', (earlier) => copyFile(earlier, database())],
])('reports a database that %s', async (_, replace) => {
  await start(() => Promise.resolve())
  const earlier = join(folder, 'earlier.db')
  edit(`VACUUM INTO '${earlier}'`)
  await start((world) => world.call('privacy/setAskBeforeNewRelease', { on: true }))
  await replace(earlier)
  await start(async (world) => {
    expect(await notices(world)).toEqual([
      expect.stringContaining('the seal over all records is missing, invalid or out of date'),
    ])
    await requireStrict(world)
    await world.call('app/acceptRecords')
    await requireUsual(world)
  })
  await start(requireUsual)
})

it('continues no job of an earlier start before the records are accepted', async () => {
  await start(() => Promise.resolve())
  const vault = await unlockVault({ mode: 'file', folder, passphrase: 'correct horse' })
  const store = createStore({
    folder: join(folder, 'profiles', 'sandbox'),
    key: (await vault.get('store-key')) ?? expect.unreachable(),
    now: Date.now,
  })
  store.jobs.put(job('job-1', { files: [] }))
  store.close()
  await vault.close()
  edit('DELETE FROM local_keys')
  await start(async (world) => {
    const jobs = async () =>
      (await world.call('studio/list', { limit: 9 })) as { jobs: { id: string; state: string }[] }
    expect(await jobs()).toMatchObject({ jobs: [{ id: 'job-1', state: 'sending' }] })
    await world.call('app/acceptRecords')
    expect(await jobs()).toMatchObject({ jobs: [{ id: 'job-1', state: 'unknown' }] })
  })
})

it('refuses the whole database if another program added to its structure', async () => {
  await start(() => Promise.resolve())
  edit('CREATE TRIGGER foreign_one AFTER INSERT ON settings BEGIN DELETE FROM settings; END')
  await expect(start(() => Promise.resolve())).rejects.toMatchObject({ code: 'store/schema-changed' })
})
