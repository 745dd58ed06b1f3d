import type { SQLOutputValue } from 'node:sqlite'
import { z } from 'zod'
import { coveredTables, type CoveredTable } from '../../shared/record-change.ts'
import { readOr, type SealedDatabase } from './sealed-database.ts'

const ROOT_AAD = 'root/body/1'
const MODULUS = 1n << 256n

const bodyRowSchema = z.object({ body: z.instanceof(Uint8Array) })
const columnSchema = z.object({ name: z.string() })
const hashRowSchema = z.object({ hash: z.instanceof(Uint8Array).nullable() })
const tableSchema = z.object({
  rows: z.int(),
  sum: z
    .string()
    .regex(/^[0-9a-f]{1,64}$/)
    .transform((hex) => BigInt(`0x${hex}`)),
})
const rootSchema = z.object({
  revision: z.int().min(0),
  tables: z.partialRecord(z.enum(coveredTables), tableSchema),
})

/** The rows of one table: their number, and the sum of their keyed hashes modulo 2^256. */
export interface TableSum {
  readonly rows: number
  readonly sum: bigint
}
export type TableSums = Readonly<Partial<Record<CoveredTable, TableSum>>>

/**
 * What the root states. A keyed multiset hash for each table (Clarke, Devadas, van Dijk, Gassend, Suh: "Incremental multiset
 * hash functions", 2003): it changes by one addition for each row, and it is sealed, because known sums could be combined.
 */
export interface Root {
  /** One more with each row that changes. */
  readonly revision: number
  readonly tables: TableSums
}

/** @returns null if the database has no root table yet, the row is missing, or it does not open under the data key */
export function readRoot(database: SealedDatabase): Root | null {
  if (!hasRoot(database)) return null
  return readOr(() => {
    const row = database.get(bodyRowSchema, 'SELECT body FROM root WHERE id = 1')
    return row && database.unseal(rootSchema, ROOT_AAD, row.body)
  }, null)
}

/** Writes the root in place of the one before. */
export function writeRoot(database: SealedDatabase, root: Root): void {
  database.run(
    'INSERT INTO root (id, body) VALUES (1, ?) ON CONFLICT (id) DO UPDATE SET body = excluded.body',
    sealRoot(database, root),
  )
}

/** Whether this version of the schema has a root. */
export function hasRoot(database: SealedDatabase): boolean {
  return columnsOf(database, 'root').length > 0
}

/** Reads every row of the covered tables and sums them. */
export function sumTables(database: SealedDatabase): TableSums {
  defineRowHash(database)
  const sums: Partial<Record<CoveredTable, TableSum>> = {}
  for (const table of coveredTables) {
    const columns = columnsOf(database, table)
    if (columns.length === 0) continue
    const hashes = database.all(
      hashRowSchema,
      `SELECT row_hash('${table}', ${columns.join(', ')}) AS hash FROM ${table}`,
    )
    sums[table] = { rows: hashes.length, sum: hashes.reduce((sum, row) => add(sum, toInteger(row.hash)), 0n) }
  }
  return sums
}

/**
 * Updates the root with every write of this connection: temporary triggers, which are never in the file,
 * add and subtract each row that a statement inserts, updates or deletes, in the transaction of that
 * statement. So no write can skip the root, and a rollback undoes both.
 */
export function watchRows(database: SealedDatabase): void {
  defineRowHash(database)
  defineNextRoot(database)
  for (const table of coveredTables) {
    const columns = columnsOf(database, table)
    const hashOf = (row: 'old' | 'new') =>
      `row_hash('${table}', ${columns.map((column) => `${row}.${column}`).join(', ')})`
    const trigger = (event: string, removed: string, added: string) => `
      CREATE TEMP TRIGGER root_${table}_${event} AFTER ${event} ON main.${table} BEGIN
        UPDATE root SET body = next_root(body, '${table}', ${removed}, ${added}) WHERE id = 1;
      END;`
    database.execute(
      trigger('INSERT', 'NULL', hashOf('new')) +
        trigger('UPDATE', hashOf('old'), hashOf('new')) +
        trigger('DELETE', hashOf('old'), 'NULL'),
    )
  }
}

/** The difference between two sums, for each table of `actual`; a table that `expected` does not name counts as empty. */
export function subtract(actual: TableSums, expected: TableSums): TableSums {
  const differences: Partial<Record<CoveredTable, TableSum>> = {}
  for (const table of coveredTables) {
    const { rows, sum } = actual[table] ?? EMPTY
    const other = expected[table] ?? EMPTY
    differences[table] = { rows: rows - other.rows, sum: add(sum, MODULUS - other.sum) }
  }
  return differences
}

const EMPTY: TableSum = { rows: 0, sum: 0n }

function sealRoot(database: SealedDatabase, { revision, tables }: Root): Uint8Array {
  const texts = Object.fromEntries(
    Object.entries(tables).map(([table, { rows, sum }]) => [table, { rows, sum: sum.toString(16) }]),
  )
  return database.seal(ROOT_AAD, { revision, tables: texts })
}

/** SQL `next_root(body, table, removed, added)`: the sealed root after one row hash left the table, or joined it, or both. */
function defineNextRoot(database: SealedDatabase): void {
  // The root that this connection sealed last need not be opened again. After a rollback the file holds another one.
  let last: { readonly body: Uint8Array; readonly root: Root } | undefined
  database.defineFunction('next_root', (body, name, removed, added) => {
    if (!(body instanceof Uint8Array)) return null
    const table = coveredTables.find((covered) => covered === name)
    const root =
      last && Buffer.compare(last.body, body) === 0
        ? last.root
        : readOr(() => database.unseal(rootSchema, ROOT_AAD, body), null)
    // An invalid root stays as it is until the person accepts the records.
    if (!root || !table) return body
    const { rows, sum } = root.tables[table] ?? EMPTY
    const next: Root = {
      revision: root.revision + 1,
      tables: {
        ...root.tables,
        [table]: {
          rows: rows + (added === null ? 0 : 1) - (removed === null ? 0 : 1),
          sum: add(sum, toInteger(added), MODULUS - toInteger(removed)),
        },
      },
    }
    const sealed = sealRoot(database, next)
    last = { body: sealed, root: next }
    return sealed
  })
}

/** SQL `row_hash(table, column…)`: HMAC-SHA256 over the table's name and the typed values. */
function defineRowHash(database: SealedDatabase): void {
  const rowHash = database.keyedHash('row hashes of the root')
  database.defineFunction('row_hash', (...values) => rowHash.digest(encodeValues(values)))
}

/** Each value as its type, its length in bytes, and its bytes: two lists of values never have the same encoding. */
function encodeValues(values: readonly SQLOutputValue[]): Uint8Array {
  return Buffer.concat(
    values.flatMap((value) => {
      const [type, bytes] = encodeValue(value)
      const head = Buffer.alloc(5)
      head.writeUInt8(type)
      head.writeUInt32BE(bytes.byteLength, 1)
      return [head, bytes]
    }),
  )
}

function encodeValue(value: SQLOutputValue): readonly [type: number, bytes: Uint8Array] {
  if (value === null) return [0, Buffer.alloc(0)]
  if (value instanceof Uint8Array) return [1, value]
  if (typeof value === 'string') return [2, Buffer.from(value)]
  return [typeof value === 'bigint' ? 3 : 4, Buffer.from(String(value))]
}

function columnsOf(database: SealedDatabase, table: string): string[] {
  return database.all(columnSchema, 'SELECT name FROM pragma_table_info(?)', table).map(({ name }) => name)
}

function toInteger(value: SQLOutputValue): bigint {
  return value instanceof Uint8Array && value.byteLength > 0
    ? BigInt(`0x${Buffer.from(value).toString('hex')}`)
    : 0n
}

function add(...values: bigint[]): bigint {
  return values.reduce((sum, value) => (sum + value) % MODULUS, 0n)
}
