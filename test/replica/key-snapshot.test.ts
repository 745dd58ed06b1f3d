import { expect, it, onTestFinished } from 'vitest'
import { SottoError } from '../../src/shared/errors.ts'
import type { KeyLimits } from '../../src/shared/key-limits.ts'
import { writeKeyLimits } from '../../src/shared/key-limits.ts'
import type { Database } from '../../src/replica/database.ts'
import { startKeySnapshot, type KeySnapshot } from '../../src/replica/key-snapshot.ts'

const FREE = 'a'.repeat(64)
const BUDGETED = 'b'.repeat(64)
const OWNED = 'd'.repeat(64)

/** A database with three keys, whose notifications are lost, and which can be away. */
class FakeDatabase {
  away = false
  version = 1
  revokedAt: Date | null = null

  readonly query: Database['query'] = (schema, text) => {
    if (this.away) return Promise.reject(new SottoError('database/unreachable'))
    const rows = text.includes('key_version')
      ? [{ version: String(this.version) }]
      : [
          this.#row(FREE, {}),
          this.#row(BUDGETED, { budget: { picoUsd: 1n, period: 'day' } }),
          this.#row(OWNED, {}, 'ann'),
        ]
    return Promise.resolve(rows.map((row) => schema.parse(row)))
  }
  readonly listen: Database['listen'] = (_channel, _onNotice, signal) =>
    new Promise((resolve) => signal.addEventListener('abort', () => resolve()))

  #row(hash: string, limits: KeyLimits, owner_id: string | null = null): object {
    const id = hash.slice(0, 8)
    const created_at = new Date(0)
    const revoked_at = this.revokedAt
    return { id, hash, name: id, limits: writeKeyLimits(limits), created_at, revoked_at, owner_id }
  }
}

async function start(
  graceMs: number,
): Promise<{ database: FakeDatabase; keys: KeySnapshot; revoked: string[]; pass: (ms: number) => void }> {
  const database = new FakeDatabase()
  let time = 0
  const revoked: string[] = []
  const keys = await startKeySnapshot({
    database,
    monotonic: () => time,
    graceMs,
    onRevoked: (keyId) => revoked.push(keyId),
  })
  onTestFinished(() => keys[Symbol.dispose]())
  return { database, keys, revoked, pass: (ms) => (time += ms) }
}

const unreachable = expect.objectContaining({ code: 'database/unreachable' }) as Error

it('a revoked key ends within a second of the clock, although its notification is lost', async () => {
  const { database, keys, revoked, pass } = await start(0)
  expect(keys.find(FREE)?.revokedAt).toBeUndefined()
  database.revokedAt = new Date(5)
  database.version = 2
  pass(1_001)
  expect(() => keys.find(FREE)).toThrow(unreachable)
  expect(keys.isCurrent()).toBe(false)
  await keys.confirm()
  await keys.confirm()
  expect(keys.find(FREE)?.revokedAt).toBe(5)
  expect(revoked).toEqual([FREE, BUDGETED, OWNED].map((hash) => hash.slice(0, 8)))
})

it('without the database, no key is found after a second by default', async () => {
  const { database, keys, pass } = await start(0)
  database.away = true
  await keys.confirm()
  expect(keys.find(FREE)).not.toBeNull()
  expect(keys.find('c'.repeat(64))).toBeNull()
  pass(1_001)
  await keys.confirm()
  for (const hash of [FREE, BUDGETED, 'c'.repeat(64)]) expect(() => keys.find(hash)).toThrow(unreachable)
  expect(keys.mayGoOn(FREE.slice(0, 8))).toBe(false)
})

it('within the grace time, only a key without limits and owner may continue', async () => {
  const { database, keys, pass } = await start(5_000)
  database.away = true
  pass(1_001)
  await keys.confirm()
  expect(keys.find(FREE)).not.toBeNull()
  expect(keys.mayGoOn(FREE.slice(0, 8))).toBe(true)
  for (const hash of [BUDGETED, OWNED, 'c'.repeat(64)]) expect(() => keys.find(hash)).toThrow(unreachable)
  for (const hash of [BUDGETED, OWNED]) expect(keys.mayGoOn(hash.slice(0, 8))).toBe(false)
  pass(5_000)
  expect(() => keys.find(FREE)).toThrow(unreachable)
  expect(keys.mayGoOn(FREE.slice(0, 8))).toBe(false)
})
