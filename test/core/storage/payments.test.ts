import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inspect } from 'node:util'
import { DatabaseSync } from 'node:sqlite'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { z } from 'zod'
import type { PaymentRecord } from '../../../src/shared/payment-record.ts'
import type { DeliveredFiles, PaymentJournal } from '../../../src/core/storage/index.ts'
import { migrations } from '../../../src/core/storage/migrations/index.ts'
import { openDatabase } from '../../../src/core/storage/open-database.ts'
import { createStore, type Store } from '../../../src/core/storage/index.ts'
import { paymentStates } from '../../../src/shared/purchase.ts'
import { msg } from '../../../src/shared/localized-text.ts'
import { KEY, OTHER_KEY, ticking } from './examples.ts'
import { HASH, payment, topup } from './payment-examples.ts'

let root = ''
let folder = ''
const opened: Store[] = []
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'sotto-store-'))
  folder = join(root, 'data')
})
afterEach(() => {
  for (const store of opened.splice(0)) store.close()
  rmSync(root, { recursive: true, force: true })
})

function open(place: string | null = folder, key = KEY): Store {
  const store = createStore({ folder: place, key, now: ticking() })
  opened.push(store)
  return store
}
function restart(): Store {
  for (const store of opened.splice(0)) store.close()
  return open()
}

const damaged: unknown = expect.objectContaining({ code: 'store/damaged' })
const path = () => join(folder, 'sotto.db')
const states = (records: readonly PaymentRecord[]) => records.map(({ state }) => state)

/** The same record with these bytes as its request's body. */
function withBody(record: PaymentRecord, body: Uint8Array): PaymentRecord {
  if (record.purpose.kind !== 'request') throw new Error('It is no request.')
  return { ...record, purpose: { ...record.purpose, request: { ...record.purpose.request, body } } }
}
function bodyOf(record: PaymentRecord | null): Uint8Array {
  return record?.purpose.kind === 'request'
    ? record.purpose.request.body
    : expect.unreachable('It is no request.')
}

test('the store implements the payment journal and the delivered files', () => {
  const store = open(null)
  const journal: PaymentJournal = store.payments
  const files: DeliveredFiles = store.deliveredFiles
  expect([journal, files]).toEqual([store.payments, store.deliveredFiles])
})

test.each<[string, PaymentRecord['failure']]>([
  ['no failure', undefined],
  ['a failure by its code alone', { code: 'wallet/payment-failed' }],
  [
    'a failure with a sentence',
    { code: 'service/failed', detail: msg('The service’s message: “{words}”.', { words: 'canary' }) },
  ],
])('a payment with %s is stored unchanged', (_what, failure) => {
  const { failure: _, ...whole } = payment('one')
  const record = { ...whole, ...(failure && { failure }) }
  open().payments.put(record)
  expect(restart().payments.get('one')).toEqual(record)
})

describe.each(['in memory', 'in a file', 'moved into a file'])('payments %s', (where) => {
  let payments: PaymentJournal
  beforeEach(() => {
    const store = open(where === 'in a file' ? folder : null)
    payments = store.payments
    if (where === 'moved into a file') store.moveTo(folder, KEY)
  })

  test('are read as they were stored, and each write replaces the previous one', () => {
    const first = payment('1')
    payments.put(first)
    expect(payments.get('1')).toEqual(first)
    expect(payments.get('2')).toBeNull()
    const { preimage: _p, failure: _f, delivered: _d, ...less } = first
    const then: PaymentRecord = { ...less, state: 'delivered', purpose: { kind: 'topup', topupId: 't' } }
    payments.put(then)
    expect(payments.get('1')).toEqual(then)
    expect(payments.list(10)).toEqual([then])
  })

  test('are found by payment hash, in order of arrival', () => {
    payments.put(payment('1', { state: 'failed' }))
    payments.put(payment('2', { paymentHash: 'ab'.repeat(32) }))
    payments.put(payment('3'))
    payments.put(payment('1', { state: 'failed', attempts: 3 }))
    expect(payments.byPaymentHash(HASH).map(({ id }) => id)).toEqual(['1', '3'])
    expect(payments.byPaymentHash('cd'.repeat(32))).toEqual([])
    payments.put(payment('3', { paymentHash: 'cd'.repeat(32) }))
    expect(payments.byPaymentHash(HASH).map(({ id }) => id)).toEqual(['1'])
  })

  test('that are pending are listed separately from those that ended', () => {
    for (const [at, state] of paymentStates.entries())
      payments.put(payment(String(at), { state, at: 100 - at }))
    expect(states(payments.open())).toEqual([
      'quoted',
      'paying',
      'held',
      'unknown',
      'paid',
      'undelivered',
      'given-up',
    ])
    expect(states(payments.list(3))).toEqual(['quoted', 'declined', 'paying'])
  })

  test('count as spent from their reservation until they surely failed', () => {
    for (const [at, state] of paymentStates.entries())
      payments.put(
        payment(String(at), { state, reservedAt: 1_000 + at, feeMsat: BigInt(at), amountMsat: 10n ** 18n }),
      )
    const { reservedAt: _, ...unreserved } = payment('unreserved')
    payments.put(unreserved)
    const { feeMsat: __, ...withoutFee } = payment('late', {
      state: 'paid',
      reservedAt: 2_000.5,
      host: 'another.example',
      amountMsat: 5n,
    })
    payments.put(withoutFee)
    expect(payments.reservedSince(0)).toEqual([
      ...paymentStates.flatMap((state, at) =>
        ['declined', 'failed', 'expired', 'closed'].includes(state)
          ? []
          : [
              {
                host: 'canary-service.example',
                amountMsat: 10n ** 18n,
                feeMsat: BigInt(at),
                at: 1_000 + at,
                settled: ['paid', 'delivered', 'undelivered', 'given-up'].includes(state),
              },
            ],
      ),
      { host: 'another.example', amountMsat: 5n, feeMsat: 0n, at: 2_000.5, settled: true },
    ])
    expect(payments.reservedSince(2_000.5)).toHaveLength(1)
    expect(payments.reservedSince(2_000.75)).toEqual([])
  })

  test('add their host to the paid hosts once paid, and a removed one stays removed', () => {
    const hosts = () => payments.paidHosts().map(({ host }) => host)
    for (const state of ['quoted', 'paying', 'held', 'unknown', 'failed', 'expired', 'declined'] as const)
      payments.put(payment(state, { state }))
    expect(hosts()).toEqual([])
    payments.put(payment('unknown', { state: 'paid' }))
    payments.put(payment('other', { state: 'undelivered', host: 'another.example' }))
    payments.put(payment('again', { state: 'delivered' }))
    expect(payments.paidHosts()).toEqual([
      { host: 'canary-service.example', firstPaidAt: expect.any(Number) as number },
      { host: 'another.example', firstPaidAt: expect.any(Number) as number },
    ])
    payments.forgetHost('canary-service.example')
    payments.put(payment('unknown', { state: 'delivered' }))
    expect(hosts()).toEqual(['another.example'])
    payments.put(payment('later', { state: 'paid' }))
    expect(hosts()).toEqual(['another.example', 'canary-service.example'])
  })

  test('preserve the request’s bytes through every change of state, until they are dropped', () => {
    const body = Buffer.alloc(300_000, 'a boundary ')
    const first = withBody(payment('1', { state: 'quoted' }), body)
    payments.put(first)
    payments.put({ ...first, state: 'paying' })
    expect(Buffer.from(bodyOf(payments.get('1'))).equals(body)).toBe(true)
    const [listed] = payments.list(1)
    payments.put({ ...(listed ?? first), state: 'paid' })
    expect(Buffer.from(bodyOf(payments.get('1'))).equals(body)).toBe(true)
    const changed = withBody(first, new TextEncoder().encode('another'))
    payments.put(changed)
    expect(payments.get('1')).toEqual(changed)
    const view = payments.get('1')
    payments.put(withBody(first, Buffer.alloc(0)))
    expect(bodyOf(payments.get('1'))).toHaveLength(0)
    expect(() => bodyOf(view)).toThrow(damaged)
    // Writing an outdated view does not restore deleted content.
    payments.put({ ...(view ?? first), state: 'delivered' })
    expect(bodyOf(payments.get('1'))).toHaveLength(0)
  })

  test('of any form are read back whole', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ maxLength: 3_000 }),
        fc.constantFrom(...paymentStates),
        fc.bigInt({ min: 0n, max: 10n ** 22n }),
        fc.string(),
        fc.boolean(),
        (body, state, amountMsat, subject, spread) => {
          const record = withBody(payment('any', { state, amountMsat }), body)
          const named: PaymentRecord =
            record.purpose.kind === 'request'
              ? { ...record, purpose: { ...record.purpose, subject } }
              : record
          payments.put(named)
          const stored = payments.get('any') ?? expect.unreachable()
          payments.put(spread ? withBody(stored, bodyOf(stored)) : stored)
          expect(payments.get('any')).toEqual(named)
        },
      ),
      { numRuns: 60 },
    )
  })
})

describe('payments in a file', () => {
  test('are stored even if the disk is too full to empty its log', () => {
    const store = open()
    store.payments.put(payment('p', { state: 'paid' }))
    const full = vi.spyOn(DatabaseSync.prototype, 'exec').mockImplementation(function (
      this: DatabaseSync,
      sql,
    ) {
      // SQLITE_FULL: the log has room for the commit, but the database can't grow.
      if (sql.includes('wal_checkpoint'))
        throw Object.assign(new Error('database or disk is full'), { code: 'ERR_SQLITE_ERROR', errcode: 13 })
      for (const statement of sql.split(';')) this.prepare(statement).run()
    })
    const { purpose } = payment('p')
    if (purpose.kind !== 'request') expect.unreachable()
    store.payments.put(
      payment('p', {
        state: 'delivered',
        purpose: { ...purpose, request: { ...purpose.request, body: new Uint8Array(0) } },
      }),
    )
    full.mockRestore()
    expect(store.payments.get('p')).toMatchObject({ state: 'delivered' })
  })

  test('survive a restart, with a form of 64 MiB', () => {
    const body = Buffer.alloc(64 * 1024 * 1024)
    for (let at = 0; at < body.length; at += 4_096) body.writeUInt32LE(at, at)
    open().payments.put(withBody(payment('1'), body))
    const stored = restart().payments.get('1')
    expect(stored).toMatchObject({ id: '1', state: 'paying', preimage: 'fe'.repeat(32) })
    expect(Buffer.from(bodyOf(stored)).equals(body)).toBe(true)
  })

  test('survive a power failure: only their commits sync the log', () => {
    const database = openDatabase(folder, KEY, migrations)
    const synchronous = () =>
      database.get(z.object({ synchronous: z.number() }), 'PRAGMA synchronous')?.synchronous
    const seen: unknown[] = [synchronous()]
    database.durably(() => seen.push(synchronous()))
    seen.push(synchronous())
    expect(() =>
      database.durably(() => {
        throw new Error('refused')
      }),
    ).toThrow('refused')
    seen.push(synchronous())
    // 1: NORMAL, which in WAL mode syncs only at a checkpoint; 2: FULL, which also syncs at each commit.
    expect(seen).toEqual([1, 2, 1, 1])
    expect(database.get(z.object({ journal_mode: z.string() }), 'PRAGMA journal_mode')).toEqual({
      journal_mode: 'wal',
    })
    database.close()
  })

  test('that the disk refuses change nothing', () => {
    const { payments, topups } = open()
    payments.put(payment('1', { state: 'quoted' }))
    topups.put(topup('t'))
    const blocking = new DatabaseSync(path())
    blocking.exec('BEGIN IMMEDIATE')
    const unwritable: unknown = expect.objectContaining({ code: 'store/unwritable' })
    expect(() => payments.put(payment('1', { state: 'paid' }))).toThrow(unwritable)
    expect(() => payments.put(payment('2'))).toThrow(unwritable)
    expect(() => payments.forgetHost('h')).toThrow(unwritable)
    expect(() => topups.put(topup('t', { state: 'settled' }))).toThrow(unwritable)
    // The error of a failed write doesn't contain the content that was to be written.
    let thrown: unknown
    try {
      payments.put(payment('2'))
    } catch (refusal) {
      thrown = refusal
    }
    expect(inspect(thrown, { depth: 10 })).toContain('store/unwritable')
    for (const secret of ['canary', payment('2').preimage!])
      expect(inspect(thrown, { depth: 10, showHidden: true })).not.toContain(secret)
    blocking.exec('ROLLBACK')
    blocking.close()
    expect([states(payments.list(10)), payments.paidHosts(), topups.list()]).toEqual([
      ['quoted'],
      [],
      [topup('t')],
    ])
  })

  test('are found by a keyed hash that reveals nothing without the key', () => {
    const index = (key: Uint8Array, place: string) => {
      const database = openDatabase(place, key, migrations)
      const blind = Buffer.from(database.blindIndex('payments/hash_index', HASH)).toString('hex')
      expect(blind).not.toBe(Buffer.from(database.blindIndex('paid_hosts/host_index', HASH)).toString('hex'))
      expect(blind).toBe(Buffer.from(database.blindIndex('payments/hash_index', HASH)).toString('hex'))
      database.close()
      return blind
    }
    const first = index(KEY, folder)
    expect(first).toMatch(/^[0-9a-f]{64}$/)
    expect(first).not.toContain(HASH.slice(0, 16))
    expect(index(OTHER_KEY, join(root, 'other'))).not.toBe(first)
    expect(index(KEY, folder)).toBe(first)
  })

  test('leave nothing of a dropped request in the file', () => {
    const store = open()
    const record = withBody(payment('1'), Buffer.alloc(500_000, 'x'))
    store.payments.put(record)
    const reading = new DatabaseSync(path(), { readOnly: true })
    const sealed = z
      .instanceof(Uint8Array)
      .parse(reading.prepare('SELECT body FROM payment_requests').get()?.['body'])
    reading.close()
    /** Samples of the sealed bytes, from the beginning to the end. */
    const traces = Array.from({ length: 20 }, (_, at) =>
      Buffer.from(sealed.subarray(at * 25_000 + 40, at * 25_000 + 72)),
    )
    const found = () =>
      readdirSync(folder).filter((name) => {
        const bytes = readFileSync(join(folder, name))
        return traces.some((trace) => bytes.includes(trace))
      })
    expect(found()).not.toEqual([])
    store.payments.put({ ...withBody(record, new Uint8Array(0)), state: 'delivered' })
    expect(found()).toEqual([])
    expect(store.payments.get('1')).toMatchObject({ state: 'delivered' })
  })

  test('that were changed in the file can’t be read', () => {
    const store = open()
    store.payments.put(payment('1', { state: 'paid' }))
    store.payments.put(payment('2', { state: 'unknown', paymentHash: 'ab'.repeat(32) }))
    store.topups.put(topup('t'))
    store.topups.put(topup('u'))
    store.close()
    opened.pop()
    const whole = join(root, 'whole')
    cpSync(folder, whole, { recursive: true })
    const changed = (sql: string, look: (store: Store) => unknown) => {
      rmSync(folder, { recursive: true })
      cpSync(whole, folder, { recursive: true })
      const database = new DatabaseSync(path())
      database.exec(sql)
      database.close()
      const again = open()
      expect(() => look(again), sql).toThrow(damaged)
      again.close()
      opened.pop()
    }
    // A payment marked as failed could be paid again. An earlier or later date would remove it from the daily
    // limit.
    changed("UPDATE payments SET state = 'failed' WHERE id = '1'", ({ payments }) => payments.get('1'))
    changed("UPDATE payments SET state = 'failed' WHERE id = '2'", ({ payments }) =>
      payments.reservedSince(0),
    )
    changed('UPDATE payments SET reserved_at = reserved_at + 1', ({ payments }) => payments.reservedSince(0))
    changed('UPDATE payments SET at = at + 1', ({ payments }) => payments.list(10))
    changed(
      "UPDATE payments SET hash_index = (SELECT hash_index FROM payments WHERE id = '1') WHERE id = '2'",
      ({ payments }) => payments.byPaymentHash(HASH),
    )
    changed(
      "UPDATE payments SET body = (SELECT body FROM payments WHERE id = '1') WHERE id = '2'",
      ({ payments }) => payments.open(),
    )
    changed(
      "UPDATE payment_requests SET body = (SELECT body FROM payment_requests WHERE payment_id = '1') WHERE payment_id = '2'",
      ({ payments }) => bodyOf(payments.get('2')),
    )
    changed('DELETE FROM payment_requests', ({ payments }) => bodyOf(payments.get('2')))
    changed('UPDATE payment_requests SET body = zeroblob(60)', ({ payments }) => bodyOf(payments.get('2')))
    changed('UPDATE paid_hosts SET first_paid_at = 1', ({ payments }) => payments.paidHosts())
    changed("UPDATE topups SET body = (SELECT body FROM topups WHERE id = 't')", ({ topups }) =>
      topups.get('u'),
    )
  })
})
