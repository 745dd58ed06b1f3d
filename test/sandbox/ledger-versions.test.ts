import { chmod, readFile, stat, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { sandboxFolder } from './cached-roots.ts'
import { bearer, creditId, question, startService } from './service-client.ts'

test('an account of the first version preserves its key, balance and history', async () => {
  const folder = await sandboxFolder()
  const first = new DatabaseSync(join(folder, 'sandbox.sqlite'))
  first.exec(`
    CREATE TABLE account (credit_id TEXT PRIMARY KEY, api_key TEXT NOT NULL UNIQUE, pico_usd INTEGER NOT NULL) STRICT;
    CREATE TABLE debit (
      id INTEGER PRIMARY KEY, at INTEGER NOT NULL, credit_id TEXT NOT NULL, model TEXT NOT NULL,
      input_tokens INTEGER NOT NULL, output_tokens INTEGER NOT NULL, pico_usd INTEGER NOT NULL, aborted INTEGER NOT NULL
    ) STRICT;
    INSERT INTO account VALUES ('old-account', 'sk-old', 4999999000000);
    INSERT INTO debit VALUES (1, 1700000000000, 'old-account', 'sandbox/allegro-mini', 3, 4, 1000000, 1)`)
  first.close()
  await using service = await startService({ folder, ledger: 'file' })
  expect(service.control.unbalanced()).toEqual([])
  expect(service.sandbox.ledger()).toEqual([
    {
      at: 1_700_000_000_000,
      account: 'old-account',
      model: 'sandbox/allegro-mini',
      inputTokens: 3,
      outputTokens: 4,
      picoUsd: 1_000_000n,
      aborted: true,
    },
  ])
  expect(
    (await service.call('POST', '/credits/balance', { body: { credit_id: 'old-account' } })).body.balance,
  ).toBe(4.999999)
  expect(
    (await service.call('GET', '/keys?show_key=true', { headers: creditId('old-account') })).body.data,
  ).toMatchObject([{ name: 'Default', api_key: 'sk-old' }])
  expect(
    (await service.call('GET', '/queries/history', { headers: bearer('sk-old') })).body.data,
  ).toHaveLength(1)
  expect(
    (await service.call('POST', '/chat/completions', { headers: bearer('sk-old'), body: question })).status,
  ).toBe(200)
  expect(service.control.unbalanced()).toEqual([])
})

test('a ledger of version 2 preserves its accounts and generations, each with its record', async () => {
  const folder = await sandboxFolder()
  const file = join(folder, 'sandbox.sqlite')
  const second = new DatabaseSync(file)
  second.exec(await readFile(resolve(import.meta.dirname, 'released/ledger-2.sql'), 'utf8'))
  const before = second.prepare('SELECT * FROM generation ORDER BY id').all()
  const apiKey = String(second.prepare('SELECT api_key FROM api_key').get()?.['api_key'])
  second.close()
  const service = await startService({ folder, ledger: 'file', seed: 'released' })
  try {
    expect(service.control.unbalanced()).toEqual([])
    const [clip, failed] = [/waves/, /storm/].map((prompt) =>
      String(before.find(({ recipe }) => prompt.test(String(recipe)))?.['id']),
    )
    service.clock.now += 60_000
    const poll = async (id: string | undefined) =>
      (await service.call('GET', `/v1/videos/${String(id)}`, { headers: bearer(apiKey) })).body
    expect([(await poll(clip)).status, (await poll(failed)).status]).toEqual(['completed', 'failed'])
    const { data } = (await poll(clip)) as unknown as { data: { url: string } }
    expect((await fetch(data.url)).headers.get('content-type')).toBe('video/mp4')
    expect(
      (
        await service.call('POST', '/v1/images/generations', {
          headers: bearer(apiKey),
          body: { model: 'sandbox/bozzetto-image', prompt: 'x' },
        })
      ).status,
    ).toBe(200)
  } finally {
    await service[Symbol.asyncDispose]()
  }
  const third = new DatabaseSync(file)
  expect(third.prepare('PRAGMA user_version').get()).toEqual({ user_version: 5 })
  expect(third.prepare('SELECT * FROM generation ORDER BY id').all()).toEqual(expect.arrayContaining(before))
  // One record for each, and none without.
  expect(() => third.exec('UPDATE generation SET record_id = 1')).toThrow(/UNIQUE/)
  expect(() =>
    third.exec(
      "INSERT INTO generation SELECT 'gen_x', credit_id, model, 4711, pico_usd, created_at, ready_at, recipe, error FROM generation LIMIT 1",
    ),
  ).toThrow(/FOREIGN KEY/)
  third.close()
})

test('a ledger of version 2 without generations is migrated, too', async () => {
  const folder = await sandboxFolder()
  const second = new DatabaseSync(join(folder, 'sandbox.sqlite'))
  second.exec(
    `${await readFile(resolve(import.meta.dirname, 'released/ledger-2.sql'), 'utf8')}; DROP TABLE generation`,
  )
  second.close()
  await using service = await startService({ folder, ledger: 'file' })
  expect(
    (
      await service.call('POST', '/v1/images/generations', {
        headers: bearer(service.account.apiKey),
        body: { model: 'sandbox/bozzetto-image', prompt: 'x' },
      })
    ).status,
  ).toBe(200)
})

test('a ledger of a later version stays unchanged', async () => {
  const folder = await sandboxFolder()
  const file = join(folder, 'sandbox.sqlite')
  const later = new DatabaseSync(file)
  later.exec('CREATE TABLE account (of_the_future TEXT); PRAGMA user_version = 99')
  await expect(startService({ folder, ledger: 'file' })).rejects.toThrow('version 99')
  expect([
    later.prepare('PRAGMA user_version').get(),
    later.prepare('SELECT name FROM sqlite_schema').all(),
  ]).toEqual([{ user_version: 99 }, [{ name: 'account' }]])
  later.close()
})

test.skipIf(process.platform === 'win32').each([
  ['new', false],
  ['from an earlier version that left it readable to others', true],
])('a ledger’s file is readable only by its owner: %s', async (_, exists) => {
  const folder = await sandboxFolder()
  const file = join(folder, 'sandbox.sqlite')
  if (exists) {
    await writeFile(file, '')
    await chmod(file, 0o644)
  }
  await using service = await startService({ folder, ledger: 'file' })
  await service.call('POST', '/accounts/create')
  expect(
    await Promise.all(
      ['', '-wal', '-shm'].map(async (ending) => ((await stat(`${file}${ending}`)).mode & 0o777).toString(8)),
    ),
  ).toEqual(['600', '600', '600'])
})
