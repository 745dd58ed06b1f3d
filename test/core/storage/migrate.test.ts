import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { PaymentRecord } from '../../../src/shared/payment-record.ts'
import { createStore } from '../../../src/core/storage/index.ts'
import { migrations } from '../../../src/core/storage/migrations/index.ts'
import type { Migration } from '../../../src/core/storage/migrations/migration.ts'
import { openDatabase } from '../../../src/core/storage/open-database.ts'
import type { JobRecord } from '../../../src/shared/job-record.ts'
import { msg } from '../../../src/shared/localized-text.ts'
import { KEY, receipt, ticking } from './examples.ts'
import { job } from './job-examples.ts'
import { HASH, payment, topup } from './payment-examples.ts'

let root = ''
let folder = ''
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'sotto-store-'))
  folder = join(root, 'data')
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

/** Members that payments gained after their first version are absent in records of the first version. */
function toFirstVersion({ worth: _, ...record }: PaymentRecord): PaymentRecord {
  if (record.purpose.kind !== 'request') return record
  const { challengeMarks: __, ...purpose } = record.purpose
  return { ...record, purpose }
}

/**
 * Failures were stored with an English text before localized sentences existed. The schemas up to this one were
 * released with that format.
 */
const LAST_WITH_TEXT = '0007.sql'
function withText<Stored extends Pick<PaymentRecord | JobRecord, 'failure'>>(
  record: Stored,
  name: string,
): Stored {
  if (name > LAST_WITH_TEXT) return record
  return {
    ...record,
    ...(record.failure && {
      failure: { ...record.failure, detail: msg('{words}', { words: 'canary detail' }) },
    }),
  }
}

const one: Migration = { version: 1, up: (database) => database.execute('CREATE TABLE t (x TEXT)') }
const two: Migration = {
  version: 2,
  up: (database) => database.execute("ALTER TABLE t ADD COLUMN y TEXT DEFAULT 'new'"),
}
const failing: Migration = {
  version: 3,
  up(database) {
    database.execute("UPDATE t SET y = 'half'")
    throw new Error('failing')
  },
}
const rowSchema = z.object({ x: z.string(), y: z.string().optional() })

function rows(list: Migration[], add?: string): unknown {
  const database = openDatabase(folder, KEY, list)
  if (add !== undefined) database.run('INSERT INTO t (x) VALUES (?)', add)
  const all = database.all(rowSchema, 'SELECT * FROM t')
  database.close()
  return all
}

describe('migrations', () => {
  test('have consecutive versions', () => {
    expect(migrations.map(({ version }) => version)).toEqual(migrations.map((_, at) => at + 1))
  })

  test('run after a whole, private copy of the file', () => {
    expect(rows([one], 'old')).toEqual([{ x: 'old' }])
    expect(readdirSync(folder)).toEqual(['sotto.db'])
    expect(rows([one, two])).toEqual([{ x: 'old', y: 'new' }])
    expect(readdirSync(folder)).toEqual(['sotto.db', 'sotto.db.version-1'])
    expect(statSync(join(folder, 'sotto.db.version-1')).mode & 0o777).toBe(0o600)
    const copy = new DatabaseSync(join(folder, 'sotto.db.version-1'), { readOnly: true })
    expect(copy.prepare('SELECT * FROM t').all()).toEqual([{ x: 'old' }])
    expect(copy.prepare('PRAGMA user_version').get()).toEqual({ user_version: 1 })
    copy.close()
    expect(rows([one, two])).toEqual([{ x: 'old', y: 'new' }])
    expect(() => rows([one])).toThrow(expect.objectContaining({ code: 'store/newer-version' }))
  })

  test('that fail leave the schema before them, and the copy can be repeated', () => {
    rows([one], 'old')
    expect(() => rows([one, two, failing])).toThrow(expect.objectContaining({ code: 'store/damaged' }))
    expect(rows([one, two])).toEqual([{ x: 'old', y: 'new' }])
    expect(() => rows([one, two, failing])).toThrow()
    expect(readdirSync(folder)).toEqual(['sotto.db', 'sotto.db.version-1', 'sotto.db.version-2'])
  })

  test('that create a new file need no copy', () => {
    rows([one, two])
    expect(readdirSync(folder)).toEqual(['sotto.db'])
  })
})

/** Frozen: a dump of each release's schema with some records, written by dump.ts. */
const released = readdirSync(join(import.meta.dirname, 'released'))
  .filter((name) => name.endsWith('.sql'))
  .sort()

test('every released schema has its frozen example', () => {
  expect(released).toEqual(migrations.map(({ version }) => `${String(version).padStart(4, '0')}.sql`))
})

test.each(released)('a data folder of the released schema %s opens with everything in it', async (name) => {
  createStore({ folder, key: KEY, now: ticking() }).close()
  rmSync(join(folder, 'sotto.db'))
  const database = new DatabaseSync(join(folder, 'sotto.db'))
  database.exec(readFileSync(join(import.meta.dirname, 'released', name), 'utf8'))
  database.close()

  const store = createStore({ folder, key: KEY, now: ticking() })
  const [conversation] = store.conversations.list()
  expect(conversation).toMatchObject({
    title: 'A title',
    private: true,
    model: 'private/x',
    createdAt: 1_800_000_000_000,
  })
  expect(store.messages.of(conversation?.id ?? '').slice(0, 2)).toMatchObject([
    { role: 'user', text: 'A question', state: 'complete' },
    {
      role: 'assistant',
      text: 'Half an ans',
      reasoning: 'A thought',
      state: 'interrupted',
      model: 'private/x',
      privacy: 'sealed',
      receiptId: 'receipt-1',
    },
  ])
  expect(store.receipts.list(10)).toMatchObject([
    { id: 'receipt-1', privacy: 'sealed', cost: '12345678901234567890' },
  ])
  const key = store.localKeys.findByHash('aa'.repeat(32))
  // No released key has aliases or origins, and opening adds none.
  expect(key).toMatchObject({ name: 'A key' })
  expect(key?.limits).toEqual(
    name >= '0003' ? { budget: { picoUsd: 5_000_000_000_000n, period: 'month' }, allowUnpriced: true } : {},
  )
  expect(store.receipts.get('receipt-1')).not.toHaveProperty('askedModel')
  expect(store.settings.get('profile')).toBe('a-profile')
  expect(store.verdicts.newestRelease('enclave.example')).toEqual({ tag: 'v-b', digest: 'b', logTime: 20 })
  expect(store.verdicts.acceptedOlder('enclave.example', 'a')).toBe(true)
  expect(['a', 'b', 'z'].map((release) => store.verdicts.trusted('enclave.example', release))).toEqual([
    true,
    true,
    false,
  ])
  if (name >= '0002') {
    const [enclave] = store.verifiedEnclaves.of('enclave.example')
    expect(enclave).toMatchObject({ release: { tag: 'v-b' }, firstSeenAt: 1, hasProof: true })
    expect(store.verifiedEnclaves.proof(enclave?.id ?? '')).toMatchObject({
      format: name < '0011' ? 'sotto-proof/v1' : 'sotto-proof/v2',
      verdict: { good: true },
    })
    expect(store.verdicts.trusted('enclave.example', 'c')).toBe(true)
  }
  if (name >= '0003') expect(store.spending.spent(key?.id ?? '')).toEqual(new Map([[20_833, 37n]]))
  // The caller of an earlier receipt is in the receipt, and the receipt is found by it.
  expect(store.receipts.listOfKeys({ keyId: 'key-1', limit: 10 })).toMatchObject([
    { receipt: { id: 'receipt-1' } },
  ])
  if (name >= '0004') {
    expect(store.localKeys.list()).toMatchObject([
      { name: 'A key', first: true },
      { name: 'A former key', first: false, limits: {}, revokedAt: 1_800_000_000_004 },
    ])
    expect(store.keyUse.of(key?.id ?? '')).toEqual({
      requests: 2,
      firstAt: 1_800_000_000_005,
      lastAt: 1_800_000_000_006,
    })
  } else {
    expect(key).toMatchObject({ first: false })
    expect(store.keyUse.of(key?.id ?? '')).toBeNull()
  }
  if (name >= '0005') {
    expect(store.payments.byPaymentHash(HASH)).toEqual(
      [
        payment('payment-1'),
        payment('payment-2', { state: 'delivered', purpose: { kind: 'topup', topupId: 'topup-1' } }),
      ]
        .map((record) => (name < '0006' ? toFirstVersion(record) : record))
        .map((record) => withText(record, name)),
    )
    expect(store.payments.open().map(({ id }) => id)).toEqual(['payment-1'])
    expect(store.payments.paidHosts()).toMatchObject([{ host: 'canary-service.example' }])
    expect(store.topups.list()).toEqual([topup('topup-1', { state: 'settled' })])
  } else {
    expect([store.payments.list(10), store.topups.list()]).toEqual([[], []])
    store.payments.put(payment('new'))
    expect(store.payments.get('new')).toEqual(payment('new'))
  }
  if (name >= '0006') {
    expect([store.prompts.list(), store.folders.list()]).toMatchObject([
      [{ name: 'A prompt', text: 'Say {{what}}' }],
      [{ name: 'A folder' }],
    ])
    const [, , question] = store.messages.of(conversation?.id ?? '')
    const [attached] = question?.attachments ?? []
    expect(attached).toMatchObject({ name: 'notes.txt', kind: 'text', bytes: 10 })
    expect(store.drafts.list()).toEqual([
      { conversationId: conversation?.id, text: 'A draft', attachments: [attached] },
    ])
    // The attachment's file is not part of the frozen dump. Reading it reports that it is missing, and changes
    // nothing.
    await expect(store.attachments.read(attached?.id ?? '')).rejects.toMatchObject({ code: 'store/damaged' })
    expect(store.attachments.get(attached?.id ?? '')).toEqual(attached)
  } else {
    expect([store.prompts.list(), store.folders.list(), store.drafts.list()]).toEqual([[], [], []])
    const attached = await store.attachments.add(
      { name: 'a.txt', kind: 'text', type: 'text/plain' },
      Buffer.from('new'),
    )
    store.drafts.save({ conversationId: conversation?.id ?? '', text: '', attachments: [attached] })
    expect(store.drafts.list()).toMatchObject([{ attachments: [{ name: 'a.txt' }] }])
  }
  expect(store.jobs.list({ limit: 9 }).map((listed) => listed.job)).toEqual(
    name >= '0007' ? [withText(job('job-1'), name)] : [],
  )
  expect(store.jobFiles.size('job-1', 10_000)).toBe(name >= '0007' ? 5 : null)
  const limits = {
    ...key?.limits,
    aliases: [{ pattern: 'claude-*', model: 'private/x' }],
    origins: ['app://obsidian.md'],
  }
  store.localKeys.change(key?.id ?? '', { limits })
  expect(store.collateral.newest()).toEqual(
    name < '0010'
      ? []
      : [
          { name: 'amd-crl/Genoa', version: 1_800_000_000_000, list: 'AAAA' },
          { name: 'intel-qe-identity', version: 18 },
        ],
  )
  expect(store.projects.list()).toMatchObject(
    name < '0011' ? [] : [{ name: 'A project', instructions: 'Be brief.', privateOnly: true }],
  )
  const documents = store.knowledge.documents('project-1')
  expect(documents).toMatchObject(name < '0012' ? [] : [{ name: 'A document', bytes: 6, passages: 1 }])
  expect(documents.flatMap(({ id }) => store.knowledge.passages(id, { from: 0, limit: 2 }))).toMatchObject(
    documents.map(() => ({ text: 'A text', place: { line: 1 } })),
  )
  store.close()

  const later = createStore({ folder, key: KEY, now: ticking() })
  expect(later.localKeys.findByHash('aa'.repeat(32))).toEqual({ ...key, limits })
  later.close()
})

describe('receipts that were sealed one by one', () => {
  const all = Array.from({ length: 70 }, (_, at) =>
    receipt(`r-${String(at)}`, {
      at: at % 9,
      caller: { kind: 'proxy', ...(at % 3 > 0 && { localKeyId: `key-${String(at % 3)}` }) },
    }),
  )
  /** Uses every second number. */
  function fillBefore(): void {
    const database = openDatabase(folder, KEY, migrations.slice(0, 7))
    for (const [at, each] of all.entries()) {
      database.run(
        'INSERT INTO receipts (seq, id, at, body, key_id) VALUES (?, ?, ?, ?, ?)',
        2 * at + 1,
        each.id,
        each.at,
        database.seal(`receipts/body/${each.id}`, each),
        each.caller.localKeyId ?? null,
      )
    }
    database.close()
  }

  test('are all listed in pages, each in its place', () => {
    fillBefore()
    const store = createStore({ folder, key: KEY, now: ticking() })
    const newestFirst = all.toReversed().toSorted((a, b) => b.at - a.at)
    expect(store.receipts.list(100)).toEqual(newestFirst)
    for (const each of all) expect(store.receipts.get(each.id)).toEqual(each)
    expect(store.receipts.listOfKeys({ keyId: 'key-2', limit: 100 })).toEqual(
      newestFirst
        .filter(({ caller }) => caller.localKeyId === 'key-2')
        .map((each) => ({ place: { at: each.at, seq: 2 * all.indexOf(each) + 1 }, receipt: each })),
    )
    store.receipts.put(receipt('new', { at: 100 }))
    expect(store.receipts.list(100)).toEqual([receipt('new', { at: 100 }), ...newestFirst])
    store.close()
  })

  test('can be read, except for one that was damaged before', () => {
    fillBefore()
    const database = new DatabaseSync(join(folder, 'sotto.db'))
    database.exec("UPDATE receipts SET body = zeroblob(100) WHERE id = 'r-50'")
    database.close()
    const store = createStore({ folder, key: KEY, now: ticking() })
    for (const each of all) {
      if (each.id === 'r-50')
        expect(() => store.receipts.get(each.id)).toThrow(expect.objectContaining({ code: 'store/damaged' }))
      else expect(store.receipts.get(each.id)).toEqual(each)
    }
    store.close()
  })
})
