import { beforeAll, expect, it } from 'vitest'
import fc from 'fast-check'
import { z } from 'zod'
import { createStore, type Store } from '../../src/core/storage/index.ts'
import { DataKey } from '../../src/replica/data-key.ts'
import type { Database } from '../../src/replica/database.ts'
import { createSharedFiles } from '../../src/replica/delivered-files.ts'
import { takePayerLock, type PayerLock } from '../../src/replica/payer-lock.ts'
import { createSharedJournal, JournalCache, type SharedJournal } from '../../src/replica/payment-journal.ts'
import type { PaymentRecord } from '../../src/shared/payment-record.ts'
import { paymentStates } from '../../src/shared/purchase.ts'
import { chunks, payment } from '../core/storage/payment-examples.ts'
import { createMigrated, describeWithPostgres, startPostgres, type PostgresServer } from './postgres.ts'

const KEY = Buffer.alloc(32, 7)
const never = new AbortController().signal
const hashOf = (number: number): string => number.toString(16).padStart(64, '0')

interface Opened {
  readonly lock: PayerLock
  readonly journal: SharedJournal
}

async function open(database: Database, cache = new JournalCache(new DataKey(KEY))): Promise<Opened> {
  const lock = await takePayerLock(database, { waitMs: 5_000, signal: never })
  try {
    return { lock, journal: await createSharedJournal({ lock, cache, now: () => 5_000 }) }
  } catch (thrown) {
    await lock[Symbol.asyncDispose]()
    throw thrown
  }
}

async function release({ journal, lock }: Opened): Promise<void> {
  await journal.close()
  await lock[Symbol.asyncDispose]()
}

/** What both journals answer. */
function answersOf(
  journal: Omit<SharedJournal, 'put' | 'durable' | 'settings' | 'allowHost' | 'close'>,
): unknown {
  const whole = ({ purpose, ...record }: PaymentRecord): unknown => ({
    ...record,
    purpose:
      purpose.kind === 'request'
        ? { ...purpose, request: { ...purpose.request, body: Buffer.from(purpose.request.body).toString() } }
        : purpose,
  })
  return {
    open: journal.open().map(whole),
    list: journal.list(4).map(whole),
    byHash: [1, 2, 3].map((number) => journal.byPaymentHash(hashOf(number)).map(whole)),
    since: journal.reservedSince(3),
    hosts: new Map(journal.paidHosts().map(({ host, firstPaidAt }) => [host, firstPaidAt])),
  }
}

function withBody(record: PaymentRecord, body: string): PaymentRecord {
  if (record.purpose.kind !== 'request') return record
  const request = { ...record.purpose.request, body: new TextEncoder().encode(body) }
  return { ...record, purpose: { ...record.purpose, request } }
}

function closing(store: Store): Disposable & { readonly store: Store } {
  return { store, [Symbol.dispose]: () => store.close() }
}

const anything = z.unknown()

describeWithPostgres('the shared journal of payments', () => {
  let server: PostgresServer
  beforeAll(async () => {
    server = await startPostgres()
  })

  it('answers as the one on the disk, also after it was read again', async () => {
    const { database } = await createMigrated(server)
    const step = fc.record({
      id: fc.constantFrom('a', 'b', 'c', 'd', 'e'),
      at: fc.integer({ min: 1, max: 4 }),
      state: fc.constantFrom(...paymentStates),
      hash: fc.integer({ min: 1, max: 3 }),
      reservedAt: fc.option(fc.integer({ min: 1, max: 6 }), { nil: undefined }),
      body: fc.constantFrom('', 'canary'),
      host: fc.constantFrom('one.example', 'two.example'),
      reopen: fc.boolean(),
      all: fc.boolean(),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async (steps) => {
        await database.execute('TRUNCATE payments, payment_requests, paid_hosts')
        await database.execute('UPDATE payer SET revision = 0')
        using disk = closing(createStore({ folder: null, key: KEY, now: () => 5_000 }))
        const other = new JournalCache(new DataKey(KEY))
        let opened = await open(database)
        for (const { id, hash, body, reopen, all, reservedAt, ...change } of steps) {
          const { reservedAt: _, ...base } = payment(id, { ...change, paymentHash: hashOf(hash) })
          const record = withBody({ ...base, ...(reservedAt !== undefined && { reservedAt }) }, body)
          try {
            opened.journal.put(record)
          } catch (thrown) {
            expect(thrown).toMatchObject({ code: 'payment/already-paid' })
            continue
          }
          disk.store.payments.put(record)
          if (!reopen) continue
          await release(opened)
          // One replica reads everything, and another one only later changes.
          opened = await open(database, all ? undefined : other)
        }
        const inMemory = answersOf(opened.journal)
        await release(opened)
        const again = await open(database)
        const stored = answersOf(again.journal)
        await release(again)
        const onDisk = answersOf(disk.store.payments)
        expect(inMemory).toEqual(onDisk)
        expect(stored).toEqual(onDisk)
      }),
      { numRuns: 8, endOnFailure: true },
    )
  })

  it('has one holder at a time, and the next one waits for it', async () => {
    const { database } = await createMigrated(server)
    const first = await open(database)
    await expect(takePayerLock(database, { waitMs: 0, signal: never })).rejects.toMatchObject({
      code: 'payment/payer-busy',
      details: { retryAfterSeconds: 5 },
    })
    const waiting = open(database)
    first.journal.put(payment('a'))
    await release(first)
    const second = await waiting
    expect(second.journal.get('a')).toMatchObject({ state: 'paying' })
    await release(second)
  })

  it('accepts nothing from a payer that lost its lock', async () => {
    const { database } = await createMigrated(server)
    const first = await open(database)
    // A pooler that gave its connection away leaves the session open, so only the epoch notices.
    await database.execute('UPDATE payer SET epoch = epoch + 1')
    first.journal.put(payment('a'))
    await expect(first.journal.durable()).rejects.toMatchObject({ code: 'payment/payer-busy' })
    expect(() => first.journal.put(payment('b'))).toThrow(
      expect.objectContaining({ code: 'payment/payer-busy' }),
    )
    expect(first.lock.lost.aborted).toBe(true)
    const second = await open(database)
    expect(second.journal.list(10)).toEqual([])
    await release(second)
  })

  it('ends with its connection, and the next payer has every durable record', async () => {
    const { database } = await createMigrated(server)
    const first = await open(database)
    first.journal.put(payment('a'))
    await first.journal.durable()
    await database.execute(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'sotto payer' AND datname = current_database()`,
    )
    const second = async (): Promise<void> => {
      first.journal.put(payment('b', { paymentHash: hashOf(1) }))
      await first.journal.durable()
    }
    await expect(second()).rejects.toMatchObject({ code: 'database/unreachable' })
    const next = await open(database)
    expect(next.journal.list(10).map(({ id }) => id)).toEqual(['a'])
    await release(next)
  })

  it('refuses a second payment of one hash, in memory and in the database', async () => {
    const { database } = await createMigrated(server)
    const opened = await open(database)
    opened.journal.put(payment('a'))
    expect(() => opened.journal.put(payment('b'))).toThrow(
      expect.objectContaining({ code: 'payment/already-paid' }),
    )
    opened.journal.put(payment('b', { state: 'quoted' }))
    opened.journal.put(payment('a', { state: 'failed' }))
    opened.journal.put(payment('b'))
    await opened.journal.durable()
    await expect(database.execute(`UPDATE payments SET state = 'paid' WHERE id = 'a'`)).rejects.toMatchObject(
      { code: 'database/failed', details: { toolDetail: 'SQLSTATE 23505.' } },
    )
    await release(opened)
  })

  it('can’t be changed without the key', async () => {
    const { database } = await createMigrated(server)
    const opened = await open(database)
    opened.journal.put(payment('a'))
    opened.journal.settings.set('spending-limits', 'canary')
    await release(opened)
    const rows = await database.query(anything, 'SELECT payments::text FROM payments')
    expect(JSON.stringify(rows)).not.toContain(Buffer.from('canary').toString('hex'))
    await database.execute(`UPDATE payments SET state = 'failed'`)
    await expect(open(database)).rejects.toMatchObject({ code: 'database/damaged' })
    await database.execute(`UPDATE payments SET state = 'paying'`)
    await expect(open(database, new JournalCache(new DataKey(Buffer.alloc(32, 8))))).rejects.toMatchObject({
      code: 'database/damaged',
    })
  })

  it('stores delivered files in sealed parts, and none of a file that breaks off', async () => {
    const { database } = await createMigrated(server)
    const opened = await open(database)
    const key = new DataKey(KEY)
    const files = createSharedFiles({ database, lock: opened.lock, key })
    const others = createSharedFiles({ database, lock: opened.lock, key })
    const content = Buffer.alloc(2_500_000, 'canary ')
    expect(await files.save('a', 0, chunks(content, 700_000))).toBe(content.byteLength)
    expect(content.equals((await files.read('a', 0)) ?? Buffer.alloc(0))).toBe(true)
    expect(content.equals((await others.read('a', 0)) ?? Buffer.alloc(0))).toBe(true)
    await files.save('a', 0, chunks(Buffer.from('short')))
    const broken = files.save('a', 1, breaking(content))
    await expect(broken).rejects.toThrow('it broke off')
    for (const reader of [files, others])
      expect([await reader.read('a', 0), await reader.read('a', 1)]).toEqual([Buffer.from('short'), null])
    const count = 'SELECT count(*)::int AS count FROM delivered_parts'
    expect(await database.query(anything, count)).toEqual([{ count: 1 }])
    await release(opened)
  })
})

async function* breaking(content: Uint8Array): AsyncGenerator<Uint8Array, void> {
  yield* chunks(content, 1_500_000)
  throw new Error('it broke off')
}
