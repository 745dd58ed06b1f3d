import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createStore } from '../../../src/core/storage/index.ts'
import { migrations } from '../../../src/core/storage/migrations/index.ts'
import { openDatabase } from '../../../src/core/storage/open-database.ts'
import { SottoError } from '../../../src/shared/errors.ts'
import { renderEnglish } from '../../../src/shared/localized-text.ts'
import { KEY, ticking } from './examples.ts'
import { editFile, fillTables } from './tampered-file.ts'

let root = ''
let folder = ''
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'sotto-store-'))
  folder = join(root, 'data')
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

const open = () => createStore({ folder, key: KEY, now: ticking() })

function refusal(): string {
  try {
    open().close()
  } catch (thrown) {
    if (thrown instanceof SottoError && thrown.code === 'store/schema-changed')
      return renderEnglish(thrown.details.detail ?? [])
    throw thrown
  }
  return 'opened'
}

test.each([
  [
    'a trigger',
    'CREATE TRIGGER foreign_one AFTER INSERT ON payments BEGIN DELETE FROM payments; END',
    'Not created by Sotto: trigger foreign_one.',
  ],
  [
    'a trigger under the name of one of ours',
    'DROP TRIGGER draft_of_conversation; CREATE TRIGGER draft_of_conversation AFTER DELETE ON conversations BEGIN DELETE FROM settings; END',
    'Not created by Sotto: trigger draft_of_conversation.',
  ],
  ['a view', 'CREATE VIEW foreign_one AS SELECT * FROM settings', 'Not created by Sotto: view foreign_one.'],
  [
    'a view in the place of a table',
    'ALTER TABLE local_keys RENAME TO hidden; CREATE VIEW local_keys AS SELECT * FROM hidden',
    'Not created by Sotto: view local_keys.',
  ],
  ['a table', 'CREATE TABLE foreign_one (x)', 'Not created by Sotto: table foreign_one.'],
  [
    'a virtual table',
    'CREATE VIRTUAL TABLE foreign_one USING fts5(x)',
    'Not created by Sotto: table foreign_one.',
  ],
  ['an index', 'CREATE INDEX foreign_one ON settings (body)', 'Not created by Sotto: index foreign_one.'],
  [
    'a unique index that makes writes fail',
    'DELETE FROM spending_holds; CREATE UNIQUE INDEX foreign_one ON spending_holds (length(body))',
    'Not created by Sotto: index foreign_one.',
  ],
  ['a column', 'ALTER TABLE settings ADD COLUMN more TEXT', 'Not created by Sotto: table settings.'],
  [
    'another definition',
    'DROP TABLE root; CREATE TABLE root (id INTEGER PRIMARY KEY, body BLOB NOT NULL)',
    'Not created by Sotto: table root.',
  ],
  [
    'a name with control characters',
    'CREATE TABLE "x\u001b[2J" (x)',
    'Not created by Sotto: table x\ufffd[2J.',
  ],
  ['a missing table', 'DROP TABLE payments', 'Missing: table payments.'],
  ['a missing index', 'DROP INDEX payments_by_hash', 'Missing: index payments_by_hash.'],
  ['a missing trigger', 'DROP TRIGGER draft_of_conversation', 'Missing: trigger draft_of_conversation.'],
  [
    'an earlier version number',
    'PRAGMA user_version = 8',
    'Not created by Sotto: trigger tool_calls_of_answer.',
  ],
])('a database with %s is refused, and left as it is', (_, sql, detail) => {
  const store = open()
  fillTables(store)
  store.close()
  editFile(folder, (database) => database.exec(sql))
  const bytes = readFileSync(join(folder, 'sotto.db'))
  expect(refusal()).toBe(detail)
  expect(readFileSync(join(folder, 'sotto.db')).equals(bytes)).toBe(true)
})

test('white space in a definition is no change', () => {
  open().close()
  editFile(folder, (database) =>
    database.exec("PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql = replace(sql, char(10), '  ')"),
  )
  expect(refusal()).toBe('opened')
})

test('a database of an earlier version is compared with the schema of that version, before any migration runs', () => {
  openDatabase(folder, KEY, migrations.slice(0, 5)).close()
  editFile(folder, (database) =>
    database.exec('CREATE TRIGGER foreign_one AFTER INSERT ON receipts BEGIN DELETE FROM settings; END'),
  )
  expect(refusal()).toBe('Not created by Sotto: trigger foreign_one.')
  editFile(folder, (database) => database.exec('DROP TRIGGER foreign_one'))
  expect(refusal()).toBe('opened')
})
