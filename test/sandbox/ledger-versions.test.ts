import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { sandboxFolder } from './kept-roots.ts'
import { bearer, creditId, question, startService } from './service-client.ts'

test('an account of the first version keeps its key, its balance and its history', async () => {
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
  expect(service.sandbox.ledger()).toEqual([{ at: 1_700_000_000_000, account: 'old-account', model: 'sandbox/allegro-mini', inputTokens: 3, outputTokens: 4, picoUsd: 1_000_000n, aborted: true }])
  expect((await service.call('POST', '/credits/balance', { body: { credit_id: 'old-account' } })).body.balance).toBe(4.999999)
  expect((await service.call('GET', '/keys?show_key=true', { headers: creditId('old-account') })).body.data).toMatchObject([{ name: 'Default', api_key: 'sk-old' }])
  expect((await service.call('GET', '/queries/history', { headers: bearer('sk-old') })).body.data).toHaveLength(1)
  expect((await service.call('POST', '/chat/completions', { headers: bearer('sk-old'), body: question })).status).toBe(200)
  expect(service.control.unbalanced()).toEqual([])
})
