import { chmodSync, existsSync, rmSync } from 'node:fs'
import { createSecretKey, randomBytes, randomFillSync, type KeyObject } from 'node:crypto'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { z } from 'zod'
import { SottoError } from '../../shared/errors.ts'
import { msg } from '../../shared/localized-text.ts'
import { copyDatabase, createPrivately, makeFolder } from './database-file.ts'
import { migrate } from './migrate.ts'
import type { Migration } from './migrations/migration.ts'
import { readSchema, requireSchema } from './schema.ts'
import { seal, unseal } from './seal.ts'
import { SealedDatabase } from './sealed-database.ts'
import { asStoreError } from './sqlite-error.ts'

const FILE = 'sotto.db'
/** "Soto" in ASCII, for SQLite's application id of the file. */
const APPLICATION_ID = 0x536f746f
const DATA_KEY_PLACE = 'data_key/sealed/1'

/**
 * Opens `sotto.db` in the folder, or a database in memory. Its content is sealed under a random data key,
 * which the database stores sealed under the vault's key. The vault's key is therefore checked before
 * anything is read, and can be changed. Throws `store/damaged`, `store/newer-version`,
 * `store/schema-changed` or `store/unwritable`; a file that isn't opened doesn't change.
 */
export function openDatabase(
  folder: string | null,
  vaultKey: Uint8Array,
  migrations: readonly Migration[],
): SealedDatabase {
  const key = vaultKeyObject(vaultKey)
  let database: DatabaseSync | undefined
  try {
    database = folder === null ? createMemory() : openFile(folder)
    if (isEmpty(database)) found(database, key)
    if (pragma(database, 'application_id') !== APPLICATION_ID)
      throw new SottoError('store/damaged', { detail: msg('The database belongs to another program.') })
    // Check the version first, because a newer Sotto may store its key differently.
    const version = pragma(database, 'user_version')
    if (version > migrations.length) throw new SottoError('store/newer-version')
    if (folder !== null) requireSchema(database, schemaOfVersion(migrations, version))
    const dataKey = unwrap(database, key)
    configure(database)
    const opened = database
    const sealed = new SealedDatabase(opened, dataKey)
    migrate(sealed, migrations, (version) => {
      if (folder !== null) copyDatabase(opened, join(folder, `${FILE}.version-${version}`))
    })
    return sealed
  } catch (error) {
    if (database?.isOpen) database.close()
    throw asOpenError(error)
  }
}

/**
 * Writes the database in memory, whose data key is `dataKey`, as the file of this folder. Changes nothing
 * if that fails. Throws store/unwritable, store/damaged.
 */
export function writeDatabase(
  database: DatabaseSync,
  dataKey: KeyObject,
  folder: string,
  vaultKey: Uint8Array,
): DatabaseSync {
  const key = vaultKeyObject(vaultKey)
  try {
    makeFolder(folder)
    if (existsSync(join(folder, FILE)))
      throw new SottoError('store/damaged', { detail: msg('The folder already has a database.') })
    wrap(database, dataKey, key)
    return createCopy(database, folder)
  } catch (error) {
    throw asOpenError(error)
  }
}

/** Copies the database to the folder, which has none, and opens the copy. If that fails, there is no copy. */
function createCopy(database: DatabaseSync, folder: string): DatabaseSync {
  const path = join(folder, FILE)
  let copy: DatabaseSync | undefined
  try {
    copyDatabase(database, path)
    copy = openFile(folder)
    configure(copy)
    return copy
  } catch (error) {
    copy?.close()
    rmSync(path, { force: true })
    throw error
  }
}

function openFile(folder: string): DatabaseSync {
  makeFolder(folder)
  const path = join(folder, FILE)
  createPrivately(path)
  chmodSync(path, 0o600)
  return distrust(new DatabaseSync(path, { timeout: 1_000, defensive: true, allowExtension: false }))
}

function createMemory(): DatabaseSync {
  return distrust(new DatabaseSync(':memory:', { defensive: true, allowExtension: false }))
}

/**
 * Must run before the first read of the schema, which another program may have written
 * (sqlite.org/security.html).
 */
function distrust(database: DatabaseSync): DatabaseSync {
  database.exec('PRAGMA trusted_schema = OFF')
  return database
}

const schemas = new WeakMap<readonly Migration[], Map<number, ReturnType<typeof readSchema>>>()

/**
 * The schema that these migrations create up to this version. They run once, on an empty database in
 * memory.
 */
function schemaOfVersion(migrations: readonly Migration[], version: number): ReturnType<typeof readSchema> {
  const known = schemas.get(migrations) ?? new Map<number, ReturnType<typeof readSchema>>()
  schemas.set(migrations, known)
  let schema = known.get(version)
  if (!schema) {
    const database = createMemory()
    const key = createSecretKey(randomBytes(32))
    found(database, key)
    migrate(
      new SealedDatabase(database, unwrap(database, key)),
      migrations.slice(0, version),
      () => undefined,
    )
    schema = readSchema(database)
    known.set(version, schema)
    database.close()
  }
  return schema
}

function configure(database: DatabaseSync): void {
  database.exec(`
    PRAGMA journal_mode = WAL;
    PRAGMA synchronous = NORMAL;
    PRAGMA secure_delete = ON;
    PRAGMA temp_store = MEMORY;
  `)
}

/** Also true if a start was killed before it created the first table. */
function isEmpty(database: DatabaseSync): boolean {
  return database.prepare('SELECT 1 FROM sqlite_schema LIMIT 1').get() === undefined
}

function found(database: DatabaseSync, key: KeyObject): void {
  database.exec(`
    BEGIN IMMEDIATE;
    PRAGMA application_id = ${APPLICATION_ID};
    CREATE TABLE data_key (id INTEGER PRIMARY KEY CHECK (id = 1), sealed BLOB NOT NULL) STRICT;
  `)
  wrap(database, takeKey(randomFillSync(new Uint8Array(new ArrayBuffer(32)))), key)
  database.exec('COMMIT')
}

function wrap(database: DatabaseSync, dataKey: KeyObject, key: KeyObject): void {
  const exported = dataKey.export()
  const sealed = seal(key, DATA_KEY_PLACE, exported)
  exported.fill(0)
  database.prepare('INSERT OR REPLACE INTO data_key (id, sealed) VALUES (1, ?)').run(sealed)
}

function unwrap(database: DatabaseSync, key: KeyObject): KeyObject {
  const row = z
    .object({ sealed: z.instanceof(Uint8Array) })
    .safeParse(database.prepare('SELECT sealed FROM data_key WHERE id = 1').get())
  if (!row.success) throw new SottoError('store/damaged', { detail: msg('The database’s key is missing.') })
  return takeKey(unseal(key, DATA_KEY_PLACE, row.data.sealed))
}

/** @param bytes zeroed: OpenSSL zeroes its own copy when nothing refers to the key */
function takeKey(bytes: Uint8Array): KeyObject {
  const key = createSecretKey(bytes)
  bytes.fill(0)
  return key
}

function pragma(database: DatabaseSync, name: 'application_id' | 'user_version'): number {
  return z.number().parse(database.prepare(`PRAGMA ${name}`).get()?.[name])
}

function vaultKeyObject(vaultKey: Uint8Array): KeyObject {
  if (vaultKey.length !== 32) throw new RangeError('The key of the store has 32 bytes.')
  return createSecretKey(vaultKey)
}

/** Any other failure to open a database counts as damage, except an error of the file system. */
function asOpenError(error: unknown): unknown {
  const known = asStoreError(error)
  if (known instanceof SottoError) return known
  const refused = error instanceof Error && 'syscall' in error
  return new SottoError(refused ? 'store/unwritable' : 'store/damaged', { cause: error })
}
