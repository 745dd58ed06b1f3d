import fc from 'fast-check'
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createIntegrity } from '../../../src/core/storage/integrity.ts'
import { createStore, type Store } from '../../../src/core/storage/index.ts'
import { migrations } from '../../../src/core/storage/migrations/index.ts'
import type { Migration } from '../../../src/core/storage/migrations/migration.ts'
import { openDatabase } from '../../../src/core/storage/open-database.ts'
import { coveredTables, type CoveredTable, type RecordChange } from '../../../src/shared/record-change.ts'
import { KEY, proof, ticking, verdict } from './examples.ts'
import { job } from './job-examples.ts'
import { payment, topup } from './payment-examples.ts'
import {
  changeTables,
  editFile,
  fillTables,
  readTables,
  replaceRows,
  type Row,
  type Tables,
} from './tampered-file.ts'

let root = ''
let folder = ''
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'sotto-store-'))
  folder = join(root, 'data')
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

const open = (leastRevision?: number, at: string | null = folder) =>
  createStore({ folder: at, key: KEY, now: ticking(), leastRevision })
const rowsChanged: unknown = expect.objectContaining({ code: 'store/rows-changed' })
const damaged: unknown = expect.objectContaining({ code: 'store/damaged' })

/** Opens a store, runs `work` on it, and closes the store. */
function withStore<T>(work: (store: Store) => T, leastRevision?: number): T {
  const store = open(leastRevision)
  try {
    return work(store)
  } finally {
    store.close()
  }
}

/** The changes that the next opening finds. The folder itself stays unchanged. */
function changesIn(at = folder, leastRevision?: number): readonly RecordChange[] {
  const copy = join(root, 'copy')
  rmSync(copy, { recursive: true, force: true })
  cpSync(at, copy, { recursive: true })
  const store = open(leastRevision, copy)
  const changes = store.integrity.changes()
  if (changes.length === 0) store.integrity.requireIntact()
  else expect(() => store.integrity.requireIntact()).toThrow(rowsChanged)
  store.close()
  return changes
}

/** The same rows under other primary and unique keys. */
function copied(row: Row): Row {
  const renamed = Object.entries(row).map(([name, value]): [string, Row[string]] => {
    if (name === 'seq') return [name, Number(value) + 1_000]
    if (name === 'body' || name === 'proof') return [name, value ?? null]
    if (typeof value === 'string') return [name, `${value} copy`]
    return [name, value instanceof Uint8Array ? Buffer.concat([value, Buffer.from('copy')]) : (value ?? null)]
  })
  return Object.fromEntries(renamed)
}

/** @param now at least two rows @param before an earlier state of the same table */
const tamperings: Record<
  string,
  {
    readonly rows: (now: Row[], before: Row[]) => Row[]
    readonly more: (now: Row[], before: Row[]) => number
  }
> = {
  'one row deleted': { rows: (now) => now.slice(1), more: () => -1 },
  'all rows deleted': { rows: () => [], more: (now) => -now.length },
  'one row copied under another key': { rows: (now) => [...now, copied(now[0]!)], more: () => 1 },
  'the contents of two rows exchanged': {
    rows: ([a, b, ...rest]) => [{ ...a, body: b!['body']! }, { ...b, body: a!['body']! }, ...rest],
    more: () => 0,
  },
  'one row in the place of another': { rows: ([a, , ...rest]) => [a!, copied(a!), ...rest], more: () => 0 },
  'all rows as they were before': {
    rows: (_, before) => before,
    more: (now, before) => before.length - now.length,
  },
  'every row sealed again with other bytes': {
    rows: (now) => now.map((row) => ({ ...row, body: Buffer.alloc(60, 1) })),
    more: () => 0,
  },
}

describe.each(coveredTables)('in the table %s', (table) => {
  let filled = ''
  let before: Row[] = []
  let now: Row[] = []
  beforeAll(() => {
    filled = mkdtempSync(join(tmpdir(), 'sotto-filled-'))
    const store = open(undefined, filled)
    fillTables(store)
    store.close()
    before = readTables(filled)[table]
    const again = open(undefined, filled)
    changeTables(again)
    again.close()
    now = readTables(filled)[table]
  })
  afterAll(() => rmSync(filled, { recursive: true, force: true }))
  beforeEach(() => cpSync(filled, folder, { recursive: true }))

  test.each(Object.keys(tamperings))('%s is reported', (name) => {
    const { rows, more } = tamperings[name]!
    replaceRows(folder, table, rows(now, before))
    expect(changesIn()).toEqual([{ table, rows: more(now, before) }])
  })

  test('the same rows, inserted again in another order, are no change', () => {
    replaceRows(folder, table, now.toReversed())
    expect(changesIn()).toEqual([])
  })
})

test.each(['verified_enclaves', 'local_keys', 'payments', 'topups', 'jobs'] as const)(
  'another order of the rows of %s is reported',
  (table) => {
    withStore(fillTables)
    const rows = readTables(folder)[table]
    const places = rows.map(({ seq }) => seq ?? null).toReversed()
    replaceRows(
      folder,
      table,
      rows.map((row, at) => ({ ...row, seq: places[at] ?? null })),
    )
    expect(changesIn()).toEqual([{ table, rows: 0 }])
  },
)

test('changes of several tables are all reported, and writing over a changed row does not hide it', () => {
  withStore((store) => {
    store.settings.set('ask-before-new-release', 'no')
  })
  const before = readTables(folder)
  withStore((store) => {
    store.settings.set('ask-before-new-release', 'yes')
    store.localKeys.add({ name: 'A', hash: 'aa'.repeat(32) })
  })
  replaceRows(folder, 'settings', before.settings)
  replaceRows(folder, 'local_keys', [])
  const found = [
    { table: 'settings', rows: 0 },
    { table: 'local_keys', rows: -1 },
  ]
  withStore((store) => {
    expect(store.integrity.changes()).toEqual(found)
    store.settings.set('ask-before-new-release', 'yes')
    store.localKeys.add({ name: 'B', hash: 'bb'.repeat(32) })
    expect(store.integrity.changes()).toEqual(found)
  })
  expect(changesIn()).toEqual(found)
})

describe('accepted as they are, changed records', () => {
  test('are intact, at once and at the next opening, and changes after that are reported again', () => {
    withStore(fillTables)
    replaceRows(folder, 'payments', [])
    withStore((store) => {
      store.integrity.accept()
      expect(store.integrity.changes()).toEqual([])
      store.settings.set('more', 'x')
    })
    expect(changesIn()).toEqual([])
    replaceRows(folder, 'settings', [])
    expect(changesIn()).toEqual([{ table: 'settings', rows: -4 }])
  })

  test('are those that were reported: if another program changed more since then, they are refused', () => {
    withStore(fillTables)
    replaceRows(folder, 'payments', [])
    const store = open()
    editFile(folder, (database) => database.exec('DELETE FROM local_keys'))
    expect(() => store.integrity.accept()).toThrow(rowsChanged)
    expect(store.integrity.changes()).toEqual([
      { table: 'local_keys', rows: -3 },
      { table: 'payments', rows: -3 },
    ])
    store.integrity.accept()
    store.close()
    expect(changesIn()).toEqual([])
  })
})

describe('the root', () => {
  test.each([
    ['is deleted', 'DELETE FROM root'],
    ['is overwritten', 'UPDATE root SET body = zeroblob(200)'],
    [
      'has one bit flipped',
      "UPDATE root SET body = unhex(CASE substr(hex(body), 60, 1) WHEN '0' THEN substr(hex(body), 1, 59) || '1' ELSE substr(hex(body), 1, 59) || '0' END || substr(hex(body), 61))",
    ],
    ['is the sealed data key', 'UPDATE root SET body = (SELECT sealed FROM data_key)'],
  ])('that %s is reported until the records are accepted', (_, sql) => {
    withStore(fillTables)
    editFile(folder, (database) => database.exec(sql))
    withStore((store) => {
      expect(store.integrity.changes()).toEqual([{ table: 'root', rows: 0 }])
      store.settings.set('written', 'x')
    })
    expect(changesIn()).toEqual([{ table: 'root', rows: 0 }])
    withStore((store) => store.integrity.accept())
    expect(changesIn()).toEqual([])
  })

  test('of an earlier time does not vouch for the rows of now, nor the root of now for earlier rows', () => {
    withStore(fillTables)
    const rootOf = () =>
      editFile(folder, (database) => database.prepare('SELECT body FROM root').get()?.['body'] ?? null)
    const [earlierRoot, earlier] = [rootOf(), readTables(folder)]
    withStore(changeTables)
    const setRoot = (body: Row[string]) =>
      editFile(folder, (database) => database.prepare('UPDATE root SET body = ?').run(body))
    const [root, now] = [rootOf(), readTables(folder)]
    setRoot(earlierRoot)
    expect(changesIn().map(({ table }) => table)).toEqual(
      coveredTables.filter((table) => JSON.stringify(now[table]) !== JSON.stringify(earlier[table])),
    )
    setRoot(root)
    expect(changesIn()).toEqual([])
  })

  test('is older than the vault remembers if the whole file is an earlier copy', () => {
    withStore(fillTables)
    cpSync(folder, join(root, 'earlier'), { recursive: true })
    const revision =
      withStore((store) => {
        changeTables(store)
        return store.integrity.checkpoint()
      }) ?? expect.unreachable()
    expect(changesIn(folder, revision)).toEqual([])
    expect(changesIn(join(root, 'earlier'), revision)).toEqual([{ table: 'root', rows: 0 }])
    // The vault remembers only the revision of the last orderly end.
    expect(changesIn(join(root, 'earlier'), 1)).toEqual([])
    rmSync(folder, { recursive: true })
    cpSync(join(root, 'earlier'), folder, { recursive: true })
    withStore((store) => {
      store.integrity.accept()
      expect(store.integrity.checkpoint()).toBeGreaterThan(revision)
    }, revision)
    expect(changesIn(folder, revision)).toEqual([])
  })

  test('is missing if the vault remembers one and the database is new, or of a version before it', () => {
    expect(withStore((store) => store.integrity.changes(), 1_000)).toEqual([{ table: 'root', rows: 0 }])
    rmSync(folder, { recursive: true })
    openDatabase(folder, KEY, migrations.slice(0, 8)).close()
    expect(withStore((store) => store.integrity.changes(), 1_000)).toEqual([{ table: 'root', rows: 0 }])
  })

  test('stands for nothing in a database whose indexes hide a row from requests', () => {
    withStore(fillTables)
    const redefine = (change: string) =>
      editFile(folder, (database) =>
        database.exec(
          `PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql = ${change} WHERE name = 'payments_by_hash'`,
        ),
      )
    redefine("sql || ' WHERE id IS NULL'")
    editFile(folder, (database) => database.exec('REINDEX payments_by_hash'))
    redefine("replace(sql, ' WHERE id IS NULL', '')")
    editFile(folder, (database) =>
      expect([
        database.prepare('SELECT count(*) AS n FROM payments').get(),
        database
          .prepare(
            'SELECT count(*) AS n FROM payments INDEXED BY payments_by_hash WHERE hash_index = (SELECT hash_index FROM payments LIMIT 1)',
          )
          .get(),
      ]).toEqual([{ n: 3 }, { n: 0 }]),
    )
    const bytes = readFileSync(join(folder, 'sotto.db'))
    expect(() => open()).toThrow(damaged)
    expect(readFileSync(join(folder, 'sotto.db')).equals(bytes)).toBe(true)
  })
})

describe('a store that was in memory', () => {
  test('brings its root along, and is watched after that', () => {
    const store = open(undefined, null)
    fillTables(store)
    store.moveTo(folder, KEY)
    changeTables(store)
    store.close()
    expect(changesIn()).toEqual([])
    replaceRows(folder, 'settings', [])
    expect(changesIn()).toEqual([{ table: 'settings', rows: -3 }])
  })
})

describe('a later migration', () => {
  const noted: Migration = {
    version: migrations.length + 1,
    up: (database) =>
      database.execute("ALTER TABLE settings ADD COLUMN note TEXT NOT NULL DEFAULT 'x'; DELETE FROM jobs"),
  }
  const changesAfter = () => {
    const database = openDatabase(folder, KEY, [...migrations, noted])
    const changes = createIntegrity(database, undefined).changes()
    database.close()
    return changes
  }

  test('of covered tables leaves intact what was intact', () => {
    withStore(fillTables)
    expect(changesAfter()).toEqual([])
    expect(changesAfter()).toEqual([])
  })

  test('does not make changed rows, or a missing root, look intact', () => {
    withStore(fillTables)
    replaceRows(folder, 'settings', readTables(folder).settings.slice(1))
    expect(changesAfter()).toEqual([{ table: 'settings', rows: -1 }])
    rmSync(folder, { recursive: true })
    withStore(fillTables)
    editFile(folder, (database) => database.exec('DELETE FROM root'))
    expect(changesAfter()).toEqual([{ table: 'root', rows: 0 }])
  })
})

const step = fc.oneof(
  fc.record({
    kind: fc.constantFrom(
      'setting',
      'key',
      'revoke',
      'payment',
      'topup',
      'job',
      'part',
      'verdict',
      'spend',
      'forget',
      'fail',
      'rollback',
      'reopen',
      'kill' as const,
    ),
    n: fc.nat({ max: 3 }),
  }),
)
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never

function take(store: Store, { kind, n }: Step): void {
  const hash = String(n).repeat(64)
  const known = store.localKeys.list()[n]
  switch (kind) {
    case 'setting':
      return store.settings.set(`s-${String(n)}`, String(store.integrity.checkpoint()))
    case 'key':
      if (!store.localKeys.findByHash(hash)) store.localKeys.add({ name: 'K', hash })
      return
    case 'revoke':
      if (known) store.localKeys.change(known.id, { revokedAt: n })
      return
    case 'payment':
      return store.payments.put(
        payment(`p-${String(n)}`, { host: `host-${String(n)}`, state: n > 1 ? 'paid' : 'paying' }),
      )
    case 'topup':
      return n === 0 ? void store.topups.remove('t-1') : store.topups.put(topup(`t-${String(n)}`))
    case 'job':
      return n === 0 ? store.jobs.remove('j-1') : store.jobs.put(job(`j-${String(n)}`))
    case 'part':
      return store.jobParts.put('j-1', { part: n, state: 'sending' })
    case 'verdict':
      return store.verifiedEnclaves.record(verdict(`d-${String(n)}`, n), proof(verdict('d', n)))
    case 'spend':
      store.spending.hold('k', n, 100n)
      store.spending.settle('k', n, BigInt(n), 7n)
      return
    case 'forget':
      return store.payments.forgetHost(`host-${String(n)}`)
    // A statement fails, and the transaction around it is committed.
    case 'fail':
      return store.atOnce(() => {
        store.settings.set('s-0', 'before')
        if (store.localKeys.findByHash(hash)) expect(() => store.localKeys.add({ name: 'K', hash })).toThrow()
      })
    case 'rollback':
      return expect(() =>
        store.atOnce(() => {
          store.settings.set(`s-${String(n)}`, 'never')
          store.localKeys.list()
          throw new Error('undone')
        }),
      ).toThrow('undone')
    default:
  }
}

test('whatever is written, undone or cut off by a kill, no change is reported; whatever rows are replaced with earlier ones, it is', () => {
  let run = 0
  fc.assert(
    fc.property(
      fc.array(step, { minLength: 1, maxLength: 14 }),
      fc.constantFrom(...coveredTables),
      fc.nat(),
      (steps, table: CoveredTable, which) => {
        let at = join(root, `run-${String(++run)}`)
        const states: Tables[] = []
        let store = open(undefined, at)
        for (const [index, each] of steps.entries()) {
          take(store, each)
          if (each.kind === 'kill') {
            // A copy of the current files is the state that a kill would leave.
            const left = join(root, `run-${String(run)}-${String(index)}`)
            cpSync(at, left, { recursive: true })
            store.close()
            at = left
          } else if (each.kind === 'reopen') store.close()
          if (each.kind === 'kill' || each.kind === 'reopen') {
            store = open(undefined, at)
            expect(store.integrity.changes()).toEqual([])
          }
          store.receipts.flush()
          states.push(readTables(at))
        }
        store.close()
        expect(changesIn(at)).toEqual([])
        const now = readTables(at)[table]
        const earlier = states[which % states.length]?.[table] ?? []
        replaceRows(at, table, earlier)
        expect(changesIn(at)).toEqual(
          same(now, earlier) ? [] : [{ table, rows: earlier.length - now.length }],
        )
      },
    ),
    { numRuns: 30 },
  )
})

function same(a: readonly Row[], b: readonly Row[]): boolean {
  const text = (rows: readonly Row[]) =>
    JSON.stringify(
      rows
        .map((row) =>
          JSON.stringify(
            Object.values(row).map((value) =>
              value instanceof Uint8Array ? Buffer.from(value).toString('hex') : value,
            ),
          ),
        )
        .toSorted(),
    )
  return text(a) === text(b)
}
