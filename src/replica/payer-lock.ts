import { setTimeout } from 'node:timers/promises'
import { z } from 'zod'
import { SottoError } from '../shared/errors.ts'
import { int8 } from './data-key.ts'
import type { Database, Statements } from './database.ts'
import { LOCK_CLASS, locks } from './migrate.ts'

const RETRY_MS = 200
/** An idle session asks the server this often whether it still exists. */
const CHECK_MS = 2_000
/** The client's advice when another replica is paying. */
const RETRY_AFTER_SECONDS = 5

const lockedSchema = z.object({ locked: z.boolean() })
const epochSchema = z.object({ epoch: int8 })

/** The right to pay: at most one replica has it. */
export interface PayerLock extends AsyncDisposable {
  /** Aborted when another replica may have it. */
  readonly lost: AbortSignal
  /** Reads. */
  readonly query: Statements['query']
  /**
   * Runs `work` in a transaction that commits only while this lock is the newest one.
   * @throws {SottoError} payment/payer-busy – another replica took the lock since; database/…
   */
  transaction<T>(work: (statements: Statements) => Promise<T>): Promise<T>
}

export interface PayerLockOptions {
  /** How long to wait while another replica has the lock. */
  readonly waitMs: number
  readonly signal: AbortSignal
}

/**
 * Waits for the lock, and takes it. It's an advisory lock of one connection, and all writes use that connection:
 * a session that the server ended can write nothing more. The epoch is a second guard, for a connection pooler
 * that gives the lock's connection to another client.
 * @throws {SottoError} payment/payer-busy – another replica had it all the time; request/canceled; database/…
 */
export async function takePayerLock(
  database: Pick<Database, 'dedicate'>,
  { waitMs, signal }: PayerLockOptions,
): Promise<PayerLock> {
  const connection = await database.dedicate('payer')
  try {
    for (let waited = 0; ; waited += RETRY_MS) {
      const [answer] = await connection.query(lockedSchema, 'SELECT pg_try_advisory_lock($1, $2) AS locked', [
        LOCK_CLASS,
        locks.payer,
      ])
      if (answer?.locked === true) break
      if (waited >= waitMs) throw busy()
      await setTimeout(RETRY_MS, undefined, { signal }).catch(() => undefined)
      if (signal.aborted) throw new SottoError('request/canceled')
    }
    const [row] = await connection.query(
      epochSchema,
      'UPDATE payer SET epoch = epoch + 1 WHERE only_row RETURNING epoch',
    )
    if (!row) throw new SottoError('database/damaged')
    return lockOf(connection, row.epoch)
  } catch (thrown) {
    await connection[Symbol.asyncDispose]()
    throw thrown
  }
}

function lockOf(connection: Awaited<ReturnType<Database['dedicate']>>, epoch: number): PayerLock {
  const check = setInterval(() => {
    connection.execute('SELECT 1').catch(() => void connection[Symbol.asyncDispose]())
  }, CHECK_MS)
  check.unref()
  connection.ended.addEventListener('abort', () => clearInterval(check), { once: true })
  return {
    lost: connection.ended,
    query: (schema, text, values) => connection.query(schema, text, values),
    transaction: (work) =>
      connection.transaction(async (statements) => {
        const [current] = await statements.query(
          epochSchema,
          'SELECT epoch FROM payer WHERE only_row FOR UPDATE',
        )
        if (current?.epoch !== epoch) throw busy()
        return work(statements)
      }),
    [Symbol.asyncDispose]: () => connection[Symbol.asyncDispose](),
  }
}

function busy(): SottoError {
  return new SottoError('payment/payer-busy', { retryAfterSeconds: RETRY_AFTER_SECONDS })
}
