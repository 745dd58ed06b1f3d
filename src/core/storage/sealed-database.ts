import { hkdfSync, type KeyObject } from 'node:crypto'
import type { DatabaseSync, SQLInputValue, SQLOutputValue, StatementSync } from 'node:sqlite'
import type { z } from 'zod'
import { SottoError } from '../../shared/errors.ts'
import { msg } from '../../shared/localized-text.ts'
import { KeyedHash } from './keyed-hash.ts'
import { seal, unseal } from './seal.ts'
import { asStoreError } from './sqlite-error.ts'
import { tryParseJson } from '../../shared/strict-json.ts'

/**
 * An open database with its data key. Rows come back parsed; what does not parse or open throws `store/damaged`, and what
 * the disk refuses `store/unwritable`.
 */
export class SealedDatabase {
  #database: DatabaseSync
  readonly #dataKey: KeyObject
  readonly #statements = new Map<string, StatementSync>()
  readonly #keyedHashes = new Map<string, KeyedHash>()

  constructor(database: DatabaseSync, dataKey: KeyObject) {
    this.#database = database
    this.#dataKey = dataKey
  }

  /** Each row by the schema. */
  all<T>(schema: z.ZodType<T>, sql: string, ...values: SQLInputValue[]): T[] {
    return this.#guarded(() => this.#prepared(sql).all(...values)).map((row) => parsed(schema, row))
  }

  /** The first row by the schema; null where there is none. */
  get<T>(schema: z.ZodType<T>, sql: string, ...values: SQLInputValue[]): T | null {
    const row = this.#guarded(() => this.#prepared(sql).get(...values))
    return row === undefined ? null : parsed(schema, row)
  }

  /** The number of rows that changed. */
  run(sql: string, ...values: SQLInputValue[]): number {
    return Number(this.#guarded(() => this.#prepared(sql).run(...values)).changes)
  }

  /** Several statements, unprepared. */
  execute(sql: string): void {
    this.#guarded(() => this.#database.exec(sql))
  }

  /** All of the work or nothing. Not within another. Throws what the work throws. */
  transaction(work: () => void): void {
    this.execute('BEGIN IMMEDIATE')
    try {
      work()
      this.execute('COMMIT')
    } catch (error) {
      if (this.#database.isTransaction) this.#database.exec('ROLLBACK')
      throw error
    }
  }

  /** As transaction, and also within one, of which it is a part then. */
  together(work: () => void): void {
    this.execute('SAVEPOINT together')
    try {
      work()
      this.execute('RELEASE together')
    } catch (error) {
      if (this.#database.isTransaction) this.#database.exec('ROLLBACK TO together; RELEASE together')
      throw error
    }
  }

  /**
   * A transaction that outlives the machine's power too, with all that was committed before it. In WAL mode
   * synchronous = FULL syncs the log at each commit (sqlite.org/pragma.html#pragma_synchronous), and fullfsync makes macOS
   * wait for the drive. Neither can be changed within a transaction.
   */
  durably(work: () => void): void {
    this.execute('PRAGMA synchronous = FULL; PRAGMA fullfsync = ON')
    try {
      this.transaction(work)
    } finally {
      this.execute('PRAGMA synchronous = NORMAL; PRAGMA fullfsync = OFF')
    }
  }

  /**
   * Takes out of the log what was removed or replaced (secure_delete has overwritten it in the database). Not while somebody reads. A
   * disk that refuses, being full, undoes nothing of what was committed: then the next time takes it out.
   */
  clearLog(): void {
    try {
      this.execute('PRAGMA wal_checkpoint(TRUNCATE)')
    } catch (error) {
      if (!(error instanceof SottoError && error.code === 'store/unwritable')) throw error
    }
  }

  /** The same for the same value, so that a row can be found by what is sealed in it, and without the key says nothing of it. */
  blindIndex(column: string, value: string): Uint8Array<ArrayBuffer> {
    return this.keyedHash(`blind index ${column}`).digest(Buffer.from(value))
  }

  /**
   * HMAC-SHA256 under a key that HKDF-SHA256 derives from the data key.
   * @param purpose names the key: two purposes have independent keys
   * @returns the same at each call, until `close`
   */
  keyedHash(purpose: string): KeyedHash {
    const known = this.#keyedHashes.get(purpose)
    if (known) return known
    const key = new Uint8Array(hkdfSync('sha256', this.#dataKey, '', purpose, 32))
    const created = new KeyedHash(key)
    key.fill(0)
    this.#keyedHashes.set(purpose, created)
    return created
  }

  /**
   * Adds an SQL function of any number of arguments to this connection. Temporary triggers may call it; triggers and views
   * that are stored in the file may not, because `trusted_schema` is off. Integers arrive as bigint.
   */
  defineFunction(name: string, call: (...values: SQLOutputValue[]) => SQLInputValue): void {
    this.#database.function(name, { varargs: true, useBigIntArguments: true }, call)
  }

  /** As seal of ./seal.ts, under the data key. */
  sealBytes(place: string, content: Uint8Array): Uint8Array {
    return seal(this.#dataKey, place, content)
  }

  /** Throws store/damaged. */
  unsealBytes(place: string, sealed: Uint8Array): Uint8Array {
    const { buffer, byteOffset, byteLength } = unseal(this.#dataKey, place, sealed)
    return new Uint8Array(buffer, byteOffset, byteLength)
  }

  /** The content as JSON, sealed under the data key. @param place as of seal in ./seal.ts */
  seal(place: string, content: object): Uint8Array {
    return this.sealJson(place, JSON.stringify(content))
  }

  /** The same of JSON text that is there already. */
  sealJson(place: string, json: string): Uint8Array {
    return seal(this.#dataKey, place, json)
  }

  /** The JSON that was sealed, by its schema. Throws store/damaged where it does not open in this place, or does not have the form. */
  unseal<T>(schema: z.ZodType<T>, place: string, sealed: Uint8Array): T {
    const text = unseal(this.#dataKey, place, sealed).toString('utf8')
    return parsedJson(schema, text)
  }

  /** What `change` makes of the connection takes its place; the statements are prepared anew. */
  replace(change: (database: DatabaseSync, dataKey: KeyObject) => DatabaseSync): void {
    const former = this.#database
    this.#database = this.#guarded(() => change(former, this.#dataKey))
    this.#statements.clear()
    former.close()
  }

  /** Nothing can be read or written after this; it may be called again. Derived keys are zeroed. */
  close(): void {
    this.#statements.clear()
    if (this.#database.isOpen) this.#database.close()
    for (const keyed of this.#keyedHashes.values()) keyed[Symbol.dispose]()
    this.#keyedHashes.clear()
  }

  #prepared(sql: string): StatementSync {
    const known = this.#statements.get(sql)
    if (known) return known
    const statement = this.#database.prepare(sql)
    this.#statements.set(sql, statement)
    return statement
  }

  #guarded<T>(work: () => T): T {
    try {
      return work()
    } catch (error) {
      throw asStoreError(error)
    }
  }
}

/** Throws `store/damaged` where it does not have the form. */
export function parsed<T>(schema: z.ZodType<T>, value: unknown): T {
  const result = schema.safeParse(value)
  if (!result.success)
    throw new SottoError('store/damaged', { detail: msg('A record has an invalid format.') })
  return result.data
}

/** The same of JSON text; what is no JSON does not have the form. */
export function parsedJson<T>(schema: z.ZodType<T>, text: string): T {
  return parsed(schema, tryParseJson(text))
}

/** What is read, or what stands in the place of a record that does not open (store/damaged). Throws whatever else reading throws. */
export function readOr<T>(read: () => T, inItsPlace: T): T {
  try {
    return read()
  } catch (error) {
    if (error instanceof SottoError && error.code === 'store/damaged') return inItsPlace
    throw error
  }
}
