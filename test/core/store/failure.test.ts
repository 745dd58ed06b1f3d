import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { openStore } from '../../../src/core/store/index.ts'
import { asStoreError } from '../../../src/core/store/sqlite-error.ts'
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

test('an answer whose process is killed is kept as far as it came, and marked as interrupted', async () => {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'streaming-process.ts'), folder], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [line] = (await once(child.stdout, 'data')) as [Buffer]
  child.kill('SIGKILL')
  await once(child, 'exit')

  const store = openStore({ folder, key: KEY, now: Date.now })
  const [question, answer] = store.messages.of(line.toString().trim())
  expect(question).toMatchObject({ text: 'Why?', state: 'complete' })
  expect(answer).toMatchObject({ state: 'interrupted', text: expect.stringMatching(/^(word ){200,}$/) as string })
  expect(store.receipts.list(10_000).length).toBeGreaterThanOrEqual(128)
  store.close()
})

test('what a killed process held back is charged at its most, and what it had settled stays settled', async () => {
  const former = openStore({ folder, key: KEY, now: Date.now })
  const { id } = former.localKeys.add({ name: 'K', hash: 'aa'.repeat(32), limits: { budget: { picoUsd: 10n ** 12n, period: 'total' } } })
  former.close()
  const child = spawn(process.execPath, [join(import.meta.dirname, 'spending-process.ts'), folder, id], { stdio: ['ignore', 'pipe', 'inherit'] })
  let said = ''
  for await (const chunk of child.stdout) {
    said += String(chunk)
    if (said.split('\n').length > 500) child.kill('SIGKILL')
  }

  const store = openStore({ folder, key: KEY, now: Date.now })
  const sent = BigInt(said.trimEnd().split('\n').at(-1) ?? '')
  const spent = store.spending.spent(id).get(0) ?? 0n
  const settled = BigInt(store.receipts.list(100_000).length)
  expect(settled > 0n).toBe(true)
  // It may have been killed after a hold was written and before it could say so.
  expect([(sent - settled) * 1_000n + settled, (sent + 1n - settled) * 1_000n + settled]).toContain(spent)
  store.close()
  const again = openStore({ folder, key: KEY, now: Date.now })
  expect(again.spending.spent(id)).toEqual(new Map([[0, spent]]))
  again.close()
})

test('a folder that cannot be made is said to be so', () => {
  symlinkSync(join(root, 'nowhere', 'at-all'), folder)
  expect(() => openStore({ folder, key: KEY, now: ticking() })).toThrow(expect.objectContaining({ code: 'store/unwritable' }))
})

test('a store in memory stays where it cannot be moved', () => {
  symlinkSync(join(root, 'nowhere', 'at-all'), folder)
  const store = openStore({ folder: null, key: KEY, now: ticking() })
  store.settings.set('profile', 'x')
  expect(() => store.moveTo(folder, KEY)).toThrow(expect.objectContaining({ code: 'store/unwritable' }))
  expect(store.settings.get('profile')).toBe('x')
  store.moveTo(join(root, 'other'), KEY)
  expect(store.settings.get('profile')).toBe('x')
  store.close()
})

test('a full disk is no damage', () => {
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

test('receipts that cannot be written wait, and the proxy goes on', () => {
  const store = openStore({ folder, key: KEY, now: ticking() })
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
