import { chmodSync, closeSync, existsSync, openSync } from 'node:fs'
import { DatabaseSync, type SQLOutputValue, type StatementSync } from 'node:sqlite'
import { schemaVersion, stepsFrom } from './schema.ts'

export type Row = Record<string, SQLOutputValue>

/**
 * The one database of the sandbox: a file, or memory. Amounts are 64-bit integers of 10^-12 USD, so every statement reads
 * integers as bigint. A file survives the end of its process at any moment: the log is written ahead.
 */
export class LedgerDatabase {
  readonly #db: DatabaseSync
  readonly #begin
  readonly #commit
  readonly #rollback
  /** How often this database was opened, this time included. */
  readonly opened: number

  /** @param file path, or `:memory:` @throws Error if a newer Sotto has written it */
  constructor(file: string) {
    if (file !== ':memory:') createPrivately(file)
    this.#db = new DatabaseSync(file, { timeout: 2000 })
    this.#db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON')
    const version = Number(this.#db.prepare('PRAGMA user_version').get()?.['user_version'])
    if (version > schemaVersion)
      throw new Error(
        `the sandbox ledger has version ${version}, but this Sotto supports version ${schemaVersion}`,
      )
    if (version < schemaVersion)
      this.#db.exec(`BEGIN IMMEDIATE; ${stepsFrom(version)}; PRAGMA user_version = ${schemaVersion}; COMMIT`)
    this.opened = Number(this.#db.prepare('PRAGMA application_id').get()?.['application_id']) + 1
    this.#db.exec(`PRAGMA application_id = ${this.opened}`)
    this.#begin = this.#db.prepare('BEGIN IMMEDIATE')
    this.#commit = this.#db.prepare('COMMIT')
    this.#rollback = this.#db.prepare('ROLLBACK')
  }

  get isOpen(): boolean {
    return this.#db.isOpen
  }

  get isTransaction(): boolean {
    return this.#db.isTransaction
  }

  statement(sql: string): StatementSync {
    const statement = this.#db.prepare(sql)
    statement.setReadBigInts(true)
    return statement
  }

  /** All of it, or nothing. Work is synchronous, so no other request comes between. */
  atomically<T>(work: () => T): T {
    if (this.#db.isTransaction) return work()
    this.#begin.run()
    try {
      const result = work()
      this.#commit.run()
      return result
    } catch (error) {
      this.#rollback.run()
      throw error
    }
  }

  close(): void {
    if (this.#db.isOpen) this.#db.close()
  }
}

/** Mode 600, because SQLite gives its -wal and -shm files the mode of the database. Never opens a file that exists: closing it would drop SQLite's locks (fcntl(2)). */
function createPrivately(file: string): void {
  if (!existsSync(file)) closeSync(openSync(file, 'wx', 0o600))
  chmodSync(file, 0o600)
}

/** @throws TypeError if the column has another type */
export function text(row: Row, column: string): string {
  const value = row[column]
  if (typeof value !== 'string') throw new TypeError(`${column} in the sandbox ledger is no text`)
  return value
}

export function textOrNull(row: Row, column: string): string | null {
  return row[column] === null ? null : text(row, column)
}

/** @throws TypeError if the column has another type */
export function integer(row: Row, column: string): bigint {
  const value = row[column]
  if (typeof value !== 'bigint') throw new TypeError(`${column} in the sandbox ledger is no integer`)
  return value
}

/** For times and counts. */
export function small(row: Row, column: string): number {
  return Number(integer(row, column))
}

export function smallOrNull(row: Row, column: string): number | null {
  return row[column] === null ? null : small(row, column)
}
