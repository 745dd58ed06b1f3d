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
 * An open database with its data key. Returns parsed rows. Throws `store/damaged` if a row can't be parsed
 * or decrypted, and `store/unwritable` if the disk fails.
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

  /** Parses each row with the schema. */
  all<T>(schema: z.ZodType<T>, sql: string, ...values: SQLInputValue[]): T[] {
    return this.#guarded(() => this.#prepared(sql).all(...values)).map((row) => parsed(schema, row))
  }

  /** Parses the first row with the schema; null if there is none. */
  get<T>(schema: z.ZodType<T>, sql: string, ...values: SQLInputValue[]): T | null {
    const row = this.#guarded(() => this.#prepared(sql).get(...values))
    return row === undefined ? null : parsed(schema, row)
  }

  /** @returns the number of rows that changed */
  run(sql: string, ...values: SQLInputValue[]): number {
    return Number(this.#guarded(() => this.#prepared(sql).run(...values)).changes)
  }

  /** Runs several statements without preparing them. */
  execute(sql: string): void {
    this.#guarded(() => this.#database.exec(sql))
  }

  /** Runs the work in a transaction, which can't be nested, and returns its result. Throws the errors of the work. */
  transaction<T>(work: () => T): T {
    this.execute('BEGIN IMMEDIATE')
    try {
      const result = work()
      this.execute('COMMIT')
      return result
    } catch (error) {
      if (this.#database.isTransaction) this.#database.exec('ROLLBACK')
      throw error
    }
  }

  /** Runs the work in a transaction, or as a part of the current one. */
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
   * Runs a transaction that is durable, also after a power failure, together with all earlier commits. In
   * WAL mode synchronous = FULL syncs the log at each commit (sqlite.org/pragma.html#pragma_synchronous),
   * and fullfsync makes macOS wait for the drive. Neither can be changed within a transaction.
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
   * Removes deleted and replaced data from the log; secure_delete has overwritten it in the database. Has
   * no effect during a read. If the disk fails, for example because it's full, the commits remain, and the
   * next call removes the data.
   */
  clearLog(): void {
    try {
      this.execute('PRAGMA wal_checkpoint(TRUNCATE)')
    } catch (error) {
      if (!(error instanceof SottoError && error.code === 'store/unwritable')) throw error
    }
  }

  /**
   * A deterministic keyed hash of a value, so that a row can be found by a sealed value. Without the key it
   * reveals nothing about the value.
   */
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

  /** See seal in ./seal.ts; uses the data key. */
  sealBytes(place: string, content: Uint8Array): Uint8Array {
    return seal(this.#dataKey, place, content)
  }

  /** Throws store/damaged. */
  unsealBytes(place: string, sealed: Uint8Array): Uint8Array {
    const { buffer, byteOffset, byteLength } = unseal(this.#dataKey, place, sealed)
    return new Uint8Array(buffer, byteOffset, byteLength)
  }

  /** Seals the content as JSON under the data key. @param place see seal in ./seal.ts */
  seal(place: string, content: object): Uint8Array {
    return this.sealJson(place, JSON.stringify(content))
  }

  /** Seals existing JSON text under the data key. */
  sealJson(place: string, json: string): Uint8Array {
    return seal(this.#dataKey, place, json)
  }

  /**
   * Opens sealed JSON and parses it with the schema. Throws store/damaged if it can't be opened in this
   * place, or if its format is invalid.
   */
  unseal<T>(schema: z.ZodType<T>, place: string, sealed: Uint8Array): T {
    const text = unseal(this.#dataKey, place, sealed).toString('utf8')
    return parsedJson(schema, text)
  }

  /** Replaces the connection by the result of `change`. Statements are prepared again. */
  replace(change: (database: DatabaseSync, dataKey: KeyObject) => DatabaseSync): void {
    const former = this.#database
    this.#database = this.#guarded(() => change(former, this.#dataKey))
    this.#statements.clear()
    former.close()
  }

  /**
   * Closes the database and zeroes derived keys. No read or write is possible afterwards. May be called
   * again.
   */
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

/** Throws `store/damaged` if the format is invalid. */
export function parsed<T>(schema: z.ZodType<T>, value: unknown): T {
  const result = schema.safeParse(value)
  if (!result.success)
    throw new SottoError('store/damaged', { detail: msg('A record has an invalid format.') })
  return result.data
}

/** Parses JSON text with the schema. Throws `store/damaged` if it isn't JSON or its format is invalid. */
export function parsedJson<T>(schema: z.ZodType<T>, text: string): T {
  return parsed(schema, tryParseJson(text))
}

/**
 * Returns the result of the read, or the replacement if the record can't be opened (store/damaged). Throws
 * all other errors of the read.
 */
export function readOr<T>(read: () => T, inItsPlace: T): T {
  try {
    return read()
  } catch (error) {
    if (error instanceof SottoError && error.code === 'store/damaged') return inItsPlace
    throw error
  }
}

/** A list of texts for SQL's json_each, or null without a list. */
export function listed(texts: readonly string[] | undefined): string | null {
  return texts ? JSON.stringify(texts) : null
}
