import { spawn } from 'node:child_process'
import fc from 'fast-check'
import { once } from 'node:events'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createStore } from '../../../src/core/storage/index.ts'
import { asStoreError } from '../../../src/core/storage/sqlite-error.ts'
import { KEY, receipt, ticking } from './examples.ts'

let root = ''
let folder = ''
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'sotto-store-'))
  folder = join(root, 'data')
})
afterEach(() => {
  vi.useRealTimers()
  rmSync(root, { recursive: true, force: true })
})

test('a reply of a killed process is saved up to then, and marked as interrupted', async () => {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'streaming-process.ts'), folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [line] = (await once(child.stdout, 'data')) as [Buffer]
  child.kill('SIGKILL')
  await once(child, 'exit')

  const store = createStore({ folder, key: KEY, now: Date.now })
  expect(store.integrity.changes()).toEqual([])
  const [question, answer] = store.messages.of(line.toString().trim())
  expect(question).toMatchObject({ text: 'Why?', state: 'complete' })
  expect(answer).toMatchObject({
    state: 'interrupted',
    text: expect.stringMatching(/^(word ){200,}$/) as string,
  })
  expect(store.receipts.list(10_000).length).toBeGreaterThanOrEqual(512)
  store.close()
})

test('a killed process is charged for all reservations and settled costs, and at most twice that', async () => {
  const former = createStore({ folder, key: KEY, now: Date.now })
  const { id } = former.localKeys.add({
    name: 'K',
    hash: 'aa'.repeat(32),
    limits: { budget: { picoUsd: 10n ** 12n, period: 'total' } },
  })
  former.close()
  const child = spawn(process.execPath, [join(import.meta.dirname, 'spending-process.ts'), folder, id], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let output = ''
  for await (const chunk of child.stdout) {
    output += String(chunk)
    if (output.split('\n').length > 500) child.kill('SIGKILL')
  }

  const store = createStore({ folder, key: KEY, now: Date.now })
  expect(store.integrity.changes()).toEqual([])
  const sent = BigInt(output.trimEnd().split('\n').at(-1) ?? '')
  const spent = store.spending.spent(id).get(0) ?? 0n
  const settled = BigInt(store.receipts.list(100_000).length)
  expect(settled > 0n).toBe(true)
  // Half of the requests were still running, each with a maximum of 1,000. The finished ones cost 1 each, and the
  // last of them may not be written.
  const running = sent - sent / 2n
  expect(spent).toBeGreaterThanOrEqual(running * 1_000n + settled)
  expect(spent).toBeLessThanOrEqual(2n * ((running + 1n) * 1_000n + sent) + settled)
  store.close()
  const again = createStore({ folder, key: KEY, now: Date.now })
  expect(again.spending.spent(id)).toEqual(new Map([[0, spent]]))
  again.close()
})

test.each([5, 60])(
  'a process killed while correcting costs has corrected each receipt together with its budget, or neither',
  async (lines) => {
    const former = createStore({ folder, key: KEY, now: Date.now })
    const { id } = former.localKeys.add({ name: 'K', hash: 'aa'.repeat(32), limits: {} })
    former.close()
    const child = spawn(process.execPath, [join(import.meta.dirname, 'correcting-process.ts'), folder, id], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    let output = ''
    for await (const chunk of child.stdout) {
      output += String(chunk)
      if (output.split('\n').length > lines) child.kill('SIGKILL')
    }

    const store = createStore({ folder, key: KEY, now: Date.now })
    expect(store.integrity.changes()).toEqual([])
    const receipts = store.receipts.list(100_000)
    const doubted = receipts.filter(({ costDoubted }) => costDoubted)
    const confirmed = receipts.filter((each) => each.confirmed)
    expect(confirmed.length).toBeGreaterThan(0)
    expect(doubted.length + confirmed.length).toBe(receipts.length)
    const spent = store.spending.spent(id).get(0) ?? 0n
    expect(spent).toBe(receipts.reduce((sum, { charged = '0' }) => sum + BigInt(charged), 0n))
    store.close()
  },
)

test.each([3, 11, 40])(
  'a process killed while writing payments leaves each as last saved, with its request and files',
  async (lines) => {
    const child = spawn(process.execPath, [join(import.meta.dirname, 'payment-process.ts'), folder], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    let output = ''
    for await (const chunk of child.stdout) {
      output += String(chunk)
      if (output.split('\n').length > lines) child.kill('SIGKILL')
    }
    const order = ['quoted', 'paying', 'paid', 'saved', 'delivered']
    const last = new Map(
      output
        .slice(0, output.lastIndexOf('\n'))
        .split('\n')
        .map((line) => [line.split(' ')[0] ?? '', line.split(' ')[1] ?? '']),
    )

    const store = createStore({ folder, key: KEY, now: Date.now })
    expect(store.integrity.changes()).toEqual([])
    const payments = store.payments.list(10_000)
    expect(last.size).toBeGreaterThan(0)
    for (const [id, written] of last) {
      const record = payments.find((each) => each.id === id) ?? expect.unreachable(id)
      // The announced state is written. One more write may have finished without an announcement.
      const reached = order.indexOf(written === 'saved' ? 'paid' : written)
      expect(order.indexOf(record.state), `${id} ${written}`).toBeGreaterThanOrEqual(reached)
      const body =
        record.purpose.kind === 'request' ? Buffer.from(record.purpose.request.body) : expect.unreachable()
      expect(
        body.equals(record.state === 'delivered' ? Buffer.alloc(0) : Buffer.alloc(20_000, `${id} `)),
        id,
      ).toBe(true)
      const file = await store.deliveredFiles.read(id, 0)
      if (written === 'saved' || written === 'delivered')
        expect(file && Buffer.from(file).equals(Buffer.alloc(20_000, `${id} `)), id).toBe(true)
    }
    expect(store.payments.open().every(({ state }) => state !== 'delivered')).toBe(true)
    // Each existing file belongs to a payment.
    const names = existsSync(join(folder, 'delivered')) ? readdirSync(join(folder, 'delivered')) : []
    const files = await Promise.all(payments.map(({ id }) => store.deliveredFiles.read(id, 0)))
    expect(names).toHaveLength(files.filter((file) => file !== null).length)
    store.close()
  },
)

const moneyStep = fc.oneof(
  fc.record({
    kind: fc.constant('hold' as const),
    amount: fc.bigInt({ min: 1n, max: 1_000n }),
    day: fc.integer({ min: 1, max: 2 }),
  }),
  fc.record({
    kind: fc.constant('settle' as const),
    which: fc.nat(),
    share: fc.bigInt({ min: 0n, max: 100n }),
  }),
  fc.record({ kind: fc.constant('flush' as const) }),
)

test('a process killed at any point leaves all reservations and costs for the next, and at most twice that', () => {
  let run = 0
  fc.assert(
    fc.property(fc.array(moneyStep, { minLength: 1, maxLength: 25 }), (steps) => {
      const [from, to] = [join(root, `from-${String(++run)}`), join(root, `to-${String(run)}`)]
      const store = createStore({ folder: from, key: KEY, now: ticking() })
      const running: { day: number; amount: bigint }[] = []
      const days = new Map(
        [1, 2].map((day) => [day, { held: 0n, spent: 0n, settledSince: 0n, mostHeld: 0n }]),
      )
      const of = (day: number) => days.get(day) ?? expect.unreachable()
      for (const step of steps) {
        if (step.kind === 'hold') {
          const day = of(step.day)
          day.held += step.amount
          day.mostHeld = day.held > day.mostHeld ? day.held : day.mostHeld
          running.push(step)
          store.spending.hold('k', step.day, day.held)
        } else if (step.kind === 'settle') {
          const [ended] = running.splice(step.which % Math.max(1, running.length), 1)
          if (!ended) continue
          const day = of(ended.day)
          const cost = (ended.amount * step.share) / 100n
          day.held -= ended.amount
          day.spent += cost
          day.settledSince += cost
          store.spending.settle('k', ended.day, day.held, day.spent)
        } else {
          store.receipts.flush()
          for (const day of days.values()) Object.assign(day, { settledSince: 0n, mostHeld: day.held })
        }
      }
      // A copy of the current file is the state that a kill would leave.
      cpSync(from, to, { recursive: true })
      store.close()
      const next = createStore({ folder: to, key: KEY, now: ticking() })
      expect(next.integrity.changes()).toEqual([])
      const found = next.spending.spent('k')
      next.close()
      for (const [number, { held, spent, settledSince, mostHeld }] of days) {
        expect(found.get(number) ?? 0n).toBeGreaterThanOrEqual(spent + held)
        expect(found.get(number) ?? 0n).toBeLessThanOrEqual(spent + 2n * (mostHeld + settledSince))
      }
    }),
    { numRuns: 40 },
  )
})

test('a folder that can’t be created is refused with its code', () => {
  symlinkSync(join(root, 'nowhere', 'at-all'), folder)
  expect(() => createStore({ folder, key: KEY, now: ticking() })).toThrow(
    expect.objectContaining({ code: 'store/unwritable' }),
  )
})

test('a store that can’t be moved stays in memory', () => {
  symlinkSync(join(root, 'nowhere', 'at-all'), folder)
  const store = createStore({ folder: null, key: KEY, now: ticking() })
  store.settings.set('profile', 'x')
  expect(() => store.moveTo(folder, KEY)).toThrow(expect.objectContaining({ code: 'store/unwritable' }))
  expect(store.settings.get('profile')).toBe('x')
  store.moveTo(join(root, 'other'), KEY)
  expect(store.settings.get('profile')).toBe('x')
  store.close()
})

test('a store whose file can’t be opened once it’s copied stays in memory, and can be moved later', () => {
  mkdirSync(join(folder, 'sotto.db-wal'), { recursive: true })
  const store = createStore({ folder: null, key: KEY, now: ticking() })
  store.settings.set('profile', 'x')
  expect(() => store.moveTo(folder, KEY)).toThrow(expect.objectContaining({ code: 'store/unwritable' }))
  rmSync(join(folder, 'sotto.db-wal'), { recursive: true })
  store.settings.set('profile', 'y')
  store.moveTo(folder, KEY)
  store.close()
  const next = createStore({ folder, key: KEY, now: ticking() })
  expect(next.settings.get('profile')).toBe('y')
  next.close()
})

test('a full disk doesn’t count as damage', () => {
  const database = new DatabaseSync(':memory:')
  database.exec('CREATE TABLE t (x); PRAGMA max_page_count = 2')
  let thrown: unknown
  try {
    database.exec('INSERT INTO t VALUES (zeroblob(100000))')
  } catch (error) {
    thrown = error
  }
  expect(asStoreError(thrown)).toMatchObject({ code: 'store/unwritable' })
})

test('receipts that can’t be written wait, and the proxy continues', () => {
  const store = createStore({ folder, key: KEY, now: ticking() })
  vi.useFakeTimers()
  const blocking = new DatabaseSync(join(folder, 'sotto.db'))
  blocking.exec('BEGIN IMMEDIATE')
  store.receipts.put(receipt('1'))
  vi.advanceTimersByTime(50)
  expect(() => store.receipts.flush()).toThrow(expect.objectContaining({ code: 'store/unwritable' }))
  blocking.exec('COMMIT')
  blocking.close()
  store.receipts.put(receipt('2'))
  vi.advanceTimersByTime(50)
  expect(store.receipts.list(10).map(({ id }) => id)).toEqual(['2', '1'])
  store.close()
})

test('receipts that are rolled back with another write are fully written the next time', () => {
  const store = createStore({ folder, key: KEY, now: ticking() })
  store.receipts.put(receipt('before'))
  store.receipts.flush()
  const file = new DatabaseSync(join(folder, 'sotto.db'))
  file.exec("CREATE TRIGGER refusal BEFORE INSERT ON key_use BEGIN SELECT RAISE(ABORT, 'refused'); END")
  for (let at = 0; at < 40; at += 1) store.receipts.put(receipt(`r-${String(at)}`, { at }))
  store.keyUse.note('key-1', 1)
  expect(() => store.receipts.flush()).toThrow('refused')
  const count = (table: string) => file.prepare(`SELECT count(*) AS count FROM ${table}`).get()?.['count']
  expect([count('receipts'), count('receipt_pages')]).toEqual([1, 1])
  file.exec('DROP TRIGGER refusal')
  store.receipts.put(receipt('r-0', { at: 0, model: 'later' }))
  expect(store.receipts.list(100).map(({ id }) => id)).toEqual([
    'before',
    ...Array.from({ length: 40 }, (_, at) => `r-${String(39 - at)}`),
  ])
  expect(store.receipts.get('r-0')?.model).toBe('later')
  expect([count('receipts'), count('receipt_pages')]).toEqual([41, 3])
  file.close()
  store.close()
})
