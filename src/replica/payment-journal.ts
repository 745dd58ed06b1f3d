import { z } from 'zod'
import type { PaymentJournal, Store } from '../core/storage/index.ts'
import { hostPlace, hostSchema } from '../core/storage/payment-record.ts'
import { asSottoError, SottoError } from '../shared/errors.ts'
import { isPaid, type PaymentRecord } from '../shared/payment-record.ts'
import { bytea, int8, type DataKey } from './data-key.ts'
import type { Statements } from './database.ts'
import type { PayerLock } from './payer-lock.ts'
import { PaymentMemory } from './payment-memory.ts'
import { paymentRowSchema, PAYMENTS_SINCE, PaymentRows, type Write } from './payment-rows.ts'

const revisionSchema = z.object({ revision: int8 })
const hostRowSchema = z.object({ host_index: bytea, first_paid_at: int8, body: bytea })
const settingRowSchema = z.object({ name: z.string(), body: bytea })
const settingSchema = z.object({ value: z.string() })

const settingPlace = (name: string): string => `payment_settings/body/${name}`

/** The journal of the payer, and the settings that belong to it. Both end with the payer's lock. */
export interface SharedJournal extends PaymentJournal {
  readonly durable: () => Promise<void>
  readonly settings: Store['settings']
  /** Permits payments to a host without a person's confirmation, as after a first payment to it. */
  allowHost(host: string): void
  /**
   * Waits until everything is durable, and accepts nothing more. The lock can then be released.
   * @throws {SottoError} as `durable`
   */
  close(): Promise<void>
}

/**
 * What a replica knows of the journal. It remains after the lock was released, so that the next session reads only
 * later changes.
 */
export class JournalCache {
  readonly key: DataKey
  memory = new PaymentMemory()
  rows: PaymentRows
  /** Of the newest change that `memory` has. */
  revision = 0

  constructor(key: DataKey) {
    this.key = key
    this.rows = new PaymentRows(key)
  }

  /** Reads later changes. Without the payer's lock, the payer may be ahead. @throws {SottoError} database/… */
  async refresh(query: Statements['query']): Promise<void> {
    const [newest] = await query(revisionSchema, 'SELECT revision FROM payer WHERE only_row')
    if (!newest) throw new SottoError('database/damaged')
    for (const row of await query(paymentRowSchema, PAYMENTS_SINCE, [this.revision]))
      this.memory.note(this.rows.read(row), row.seq)
    this.revision = newest.revision
  }

  /** Forgets everything, because memory may be ahead of the database. */
  clear(): void {
    this.memory = new PaymentMemory()
    this.rows = new PaymentRows(this.key)
    this.revision = 0
  }
}

export interface SharedJournalOptions {
  readonly lock: PayerLock
  readonly cache: JournalCache
  /** Unix ms. */
  readonly now: () => number
}

/**
 * Reads the journal of payments. Checks read memory, which has every record that was put; `durable` resolves when
 * the database has it too. If a write fails, or the lock is lost, the journal accepts nothing more: the next holder
 * of the lock decides by the database.
 * @throws {SottoError} database/…
 */
export async function createSharedJournal(options: SharedJournalOptions): Promise<SharedJournal> {
  const { lock, cache, now } = options
  const { key } = cache
  const settings = new Map<string, string>()
  await load()
  const { memory, rows } = cache
  const queue: Write[] = []
  let scheduled = false
  let failure: SottoError | undefined
  let closed = false
  /** Settles when everything in the queue is durable. */
  let tail: Promise<void> = Promise.resolve()
  const fail = (reason: SottoError): void => {
    // Another session may use the cache by now.
    if (closed || failure) return
    failure = reason
    cache.clear()
  }
  if (lock.lost.aborted) fail(new SottoError('database/unreachable'))
  else lock.lost.addEventListener('abort', () => fail(new SottoError('database/unreachable')), { once: true })

  async function load(): Promise<void> {
    await cache.refresh(lock.query)
    cache.memory.clearHosts()
    for (const { host_index, first_paid_at, body } of await lock.query(
      hostRowSchema,
      'SELECT host_index, first_paid_at, body FROM paid_hosts',
    )) {
      const { host } = key.unseal(hostSchema, hostPlace(host_index, first_paid_at), body)
      cache.memory.noteHost(host, first_paid_at)
    }
    for (const { name, body } of await lock.query(
      settingRowSchema,
      'SELECT name, body FROM payment_settings',
    ))
      settings.set(name, key.unseal(settingSchema, settingPlace(name), body).value)
  }

  function requireUsable(): void {
    if (failure) throw failure
  }

  function requireOpen(): void {
    requireUsable()
    if (closed) throw new SottoError('payment/payer-busy')
  }

  /** Writes that are queued while a transaction runs go into the next one together. */
  function enqueue(write: Write): void {
    queue.push(write)
    if (scheduled) return
    scheduled = true
    tail = tail.then(() => {
      scheduled = false
      return commit(queue.splice(0))
    })
    tail.catch(() => undefined)
  }

  async function commit(writes: readonly Write[]): Promise<void> {
    requireUsable()
    const revision = cache.revision + 1
    try {
      await lock.transaction(async (statements) => {
        for (const write of writes) await write(statements, revision)
        await statements.execute('UPDATE payer SET revision = $1 WHERE only_row', [revision])
      })
      cache.revision = revision
    } catch (thrown) {
      fail(asSottoError(thrown))
      await lock[Symbol.asyncDispose]()
      throw thrown
    }
  }

  function rememberHost(host: string): Write {
    const index = key.blindIndex('paid_hosts/host_index', host)
    const at = Math.trunc(now())
    const body = key.seal(hostPlace(index, at), { host })
    memory.noteHost(host, at)
    return async (statements) => {
      await statements.execute(
        'INSERT INTO paid_hosts (host_index, first_paid_at, body) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING',
        [index, at, body],
      )
    }
  }

  return {
    put(record: PaymentRecord) {
      requireOpen()
      if (memory.conflicts(record)) throw new SottoError('payment/already-paid')
      const seq = memory.seqOf(record.id)
      const write = rows.write(record, seq)
      const before = memory.get(record.id)
      memory.note(record, seq)
      // Once for each payment, so that a host that was removed isn't added again.
      if (isPaid(record.state) && !(before && isPaid(before.state))) enqueue(rememberHost(record.host))
      enqueue(write)
    },
    async durable() {
      await tail
      requireUsable()
    },
    async close() {
      await tail
      requireUsable()
      closed = true
    },
    get: (id) => memory.get(id),
    byPaymentHash: (paymentHash) => memory.byPaymentHash(paymentHash),
    open: () => memory.open(),
    list: (limit) => memory.list(limit),
    reservedSince: (at) => memory.reservedSince(at),
    paidHosts: () => memory.paidHosts(),
    allowHost(host) {
      requireOpen()
      enqueue(rememberHost(host))
    },
    forgetHost(host) {
      requireOpen()
      memory.forgetHost(host)
      const index = key.blindIndex('paid_hosts/host_index', host)
      enqueue(async (statements) => {
        await statements.execute('DELETE FROM paid_hosts WHERE host_index = $1', [index])
      })
    },
    settings: {
      get: (name) => settings.get(name) ?? null,
      set(name, value) {
        requireOpen()
        settings.set(name, value)
        const body = key.seal(settingPlace(name), { value })
        enqueue(async (statements) => {
          await statements.execute(
            'INSERT INTO payment_settings (name, body) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET body = excluded.body',
            [name, body],
          )
        })
      },
    },
  }
}
