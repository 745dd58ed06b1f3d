import pg from 'pg'
import type { z } from 'zod'
import type { DatabaseAddress } from './database-address.ts'
import { databaseFailure } from './database-errors.ts'

/** A value of a statement. An amount is passed as decimal text, because a double has too few digits. */
export type SqlValue =
  | string
  | number
  | boolean
  | null
  | Buffer
  | readonly (string | number | boolean | null)[]

/** Runs statements: the pool, or one transaction. */
export interface Statements {
  /**
   * Runs one statement and parses each row.
   * @throws {SottoError} database/unreachable, database/refused, database/failed, database/damaged
   */
  query<Schema extends z.ZodType>(
    schema: Schema,
    text: string,
    values?: readonly SqlValue[],
  ): Promise<z.output<Schema>[]>
  /**
   * Runs one statement without reading rows.
   * @returns the number of changed rows
   * @throws {SottoError} database/unreachable, database/refused, database/failed
   */
  execute(text: string, values?: readonly SqlValue[]): Promise<number>
}

/** The connections of this process. */
export interface PoolState {
  readonly open: number
  readonly idle: number
  /** Callers that wait for a connection. */
  readonly waiting: number
}

export interface Database extends Statements, AsyncDisposable {
  /**
   * Runs `work` in one transaction of isolation READ COMMITTED. If it throws, nothing is changed. If the
   * connection breaks during the commit, it's unknown whether the changes were saved: work must be repeatable.
   * @throws {SottoError} as `query`, and the error of `work`
   */
  transaction<T>(work: (statements: Statements) => Promise<T>): Promise<T>
  /**
   * Calls `onNotice` for each notification of a channel, until the signal aborts or the connection ends.
   * @returns a promise that resolves when the connection has ended
   * @throws {SottoError} database/unreachable – it couldn't connect
   */
  listen(channel: ListenChannel, onNotice: (payload: string) => void, signal: AbortSignal): Promise<void>
  /**
   * Opens one connection outside the pool, for a lock of its session.
   * @throws {SottoError} database/unreachable, database/refused
   */
  dedicate(purpose: string): Promise<DedicatedConnection>
  pool(): PoolState
}

/** One connection. Its locks end with it, and so does everything that it could still write. */
export interface DedicatedConnection extends Statements, AsyncDisposable {
  /** As the database's, and one after the other. A failure of the connection ends it. */
  transaction<T>(work: (statements: Statements) => Promise<T>): Promise<T>
  /** Aborted when the connection has ended. */
  readonly ended: AbortSignal
}

/** Names of notification channels. A name is part of a statement, so the list is closed. */
export type ListenChannel = 'sotto_keys'

export interface DatabaseOptions {
  readonly address: DatabaseAddress
  /** Connections at most. By default 8. */
  readonly connections?: number
  /** How long a statement may run. By default 5 seconds. */
  readonly statementMs?: number
  /** How long a connection may take. By default 2 seconds. */
  readonly connectMs?: number
  /** Shown in PostgreSQL's list of connections. */
  readonly name?: string
}

/** Creates the connection pool. It connects when the first statement runs. */
export function createDatabase({
  address,
  connections = 8,
  statementMs = 5_000,
  connectMs = 2_000,
  name = 'sotto',
}: DatabaseOptions): Database {
  const { password, ...others } = address
  const settings: pg.ClientConfig = {
    ...others,
    ...(password !== undefined && { password }),
    application_name: name.slice(0, 60),
    connectionTimeoutMillis: connectMs,
    statement_timeout: statementMs,
    // The server may be unable to end the statement itself, for example when the network is gone.
    query_timeout: statementMs + 1_000,
    lock_timeout: statementMs,
    idle_in_transaction_session_timeout: 2 * statementMs,
    keepAlive: true,
  }
  const pool = new pg.Pool({ ...settings, max: connections, idleTimeoutMillis: 30_000 })
  // An idle connection may break. The pool replaces it, and the next statement reports a lasting failure.
  pool.on('error', () => undefined)
  // A connection may also break between two statements of a transaction. The next statement reports that.
  pool.on('connect', (client) => client.on('error', () => undefined))

  return {
    ...statementsOn(pool),
    async transaction(work) {
      const client = await pool.connect().catch((thrown: unknown) => {
        throw databaseFailure(thrown)
      })
      let broken = true
      try {
        return await transactionOn(client, work, (usable) => {
          broken = !usable
        })
      } finally {
        // A connection in an unknown state must not run another transaction.
        client.release(broken)
      }
    },
    async listen(channel, onNotice, signal) {
      const client = new pg.Client({ ...settings, application_name: `${name} listener`.slice(0, 60) })
      const ended = new Promise<void>((resolve) => {
        client.once('end', resolve)
        client.on('error', () => resolve())
      })
      const end = (): void => void client.end().catch(() => undefined)
      client.on('notification', ({ payload = '' }) => onNotice(payload))
      try {
        signal.throwIfAborted()
        await client.connect()
        await client.query(`LISTEN ${channel}`)
      } catch (thrown) {
        end()
        if (signal.aborted) return
        throw databaseFailure(thrown)
      }
      signal.addEventListener('abort', end, { once: true })
      if (signal.aborted) end()
      await ended
      signal.removeEventListener('abort', end)
      end()
    },
    dedicate: (purpose) =>
      dedicatedConnection({ ...settings, application_name: `${name} ${purpose}`.slice(0, 60) }),
    pool: () => ({ open: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
    [Symbol.asyncDispose]: () => pool.end(),
  }
}

/** @param onEnd receives whether the connection can be used again */
async function transactionOn<T>(
  client: Pick<pg.ClientBase, 'query'>,
  work: (statements: Statements) => Promise<T>,
  onEnd: (usable: boolean) => void,
): Promise<T> {
  try {
    await client.query('BEGIN ISOLATION LEVEL READ COMMITTED')
    const result = await work(statementsOn(client))
    await client.query('COMMIT')
    onEnd(true)
    return result
  } catch (thrown) {
    onEnd(
      await client.query('ROLLBACK').then(
        () => true,
        () => false,
      ),
    )
    throw databaseFailure(thrown)
  }
}

async function dedicatedConnection(settings: pg.ClientConfig): Promise<DedicatedConnection> {
  const client = new pg.Client(settings)
  const ended = new AbortController()
  const end = async (): Promise<void> => {
    ended.abort()
    await client.end().catch(() => undefined)
  }
  client.on('error', () => void end())
  client.on('end', () => ended.abort())
  try {
    await client.connect()
    // The server ends the session of a replica that disappeared from the network within about 12 seconds.
    await client.query(
      'SET tcp_keepalives_idle = 5; SET tcp_keepalives_interval = 2; SET tcp_keepalives_count = 3; SET tcp_user_timeout = 10000',
    )
  } catch (thrown) {
    await end()
    throw databaseFailure(thrown)
  }
  /** Two transactions of one connection would commit and roll back each other's statements. */
  let last: Promise<unknown> = Promise.resolve()
  function enqueue<T>(work: () => Promise<T>): Promise<T> {
    const result = last.then(work)
    last = result.catch(() => undefined)
    return result
  }
  const statements = statementsOn(client)
  return {
    query: (schema, text, values) => enqueue(() => statements.query(schema, text, values)),
    execute: (text, values) => enqueue(() => statements.execute(text, values)),
    ended: ended.signal,
    transaction: (work) =>
      enqueue(() =>
        transactionOn(client, work, (usable) => {
          if (!usable) void end()
        }),
      ),
    [Symbol.asyncDispose]: end,
  }
}

function statementsOn(runner: Pick<pg.Pool | pg.ClientBase, 'query'>): Statements {
  const run = async (
    text: string,
    values: readonly SqlValue[],
  ): Promise<pg.QueryResult<pg.QueryResultRow>> => {
    try {
      return await runner.query<pg.QueryResultRow>(text, [...values])
    } catch (thrown) {
      throw databaseFailure(thrown)
    }
  }
  return {
    async query(schema, text, values = []) {
      const { rows } = await run(text, values)
      try {
        return rows.map((row) => schema.parse(row))
      } catch (thrown) {
        throw databaseFailure(thrown)
      }
    },
    execute: async (text, values = []) => (await run(text, values)).rowCount ?? 0,
  }
}
