import { z } from 'zod'
import type { DeferredWrites } from './deferred-writes.ts'
import type { SealedDatabase } from './sealed-database.ts'
import type { Store } from './store.ts'

const picoUsd = z.string().regex(/^\d{1,40}$/).transform(BigInt)
const holdRowSchema = z.object({ seq: z.number(), body: z.instanceof(Uint8Array) })
const holdSchema = z.object({ keyId: z.string(), day: z.int(), most: picoUsd })
const dayRowSchema = z.object({ day: z.number(), body: z.instanceof(Uint8Array) })
const daySchema = z.object({ spent: picoUsd })

const holdPlace = (seq: number) => `spending_holds/body/${String(seq)}`
const dayPlace = (keyId: string, day: number) => `spending_days/body/${keyId}/${String(day)}`

/**
 * The money of local keys. A hold is one row in a table of nothing else, so that what must be written before a request
 * leaves is one page; the end of a hold and the day's sum are written a moment later, in one transaction with the receipt.
 */
export function spendingIn(database: SealedDatabase, deferred: DeferredWrites): Store['spending'] {
  let lastHold = 0
  let ended: number[] = []
  const changed = new Map<string, { keyId: string; day: number; spent: bigint }>()

  const noted = deferred.join({
    write() {
      for (const seq of ended) database.run('DELETE FROM spending_holds WHERE seq = ?', seq)
      for (const { keyId, day, spent } of changed.values()) writeDay(database, keyId, day, spent)
    },
    written() {
      ended = []
      changed.clear()
    },
    // A hold that stays is charged at its most: nothing may be forgotten here, and no hold is made while the disk refuses.
    refused: () => undefined,
  })

  return {
    spent(keyId) {
      deferred.flush()
      return daysOf(database, keyId)
    },
    hold(keyId, day, most) {
      lastHold += 1
      database.run('INSERT INTO spending_holds (seq, body) VALUES (?, ?)', lastHold, database.seal(holdPlace(lastHold), { keyId, day, most: most.toString() }))
      return lastHold
    },
    settle(hold, keyId, day, spent) {
      if (hold !== null) ended.push(hold)
      changed.set(`${keyId}/${String(day)}`, { keyId, day, spent })
      noted()
    },
  }
}

/** What a process that ended still held is charged at its most: nobody knows how far its requests came. */
export function chargeHolds(database: SealedDatabase): void {
  const holds = database.all(holdRowSchema, 'SELECT * FROM spending_holds')
  if (holds.length === 0) return
  database.transaction(() => {
    for (const { seq, body } of holds) {
      const { keyId, day, most } = database.unseal(holdSchema, holdPlace(seq), body)
      writeDay(database, keyId, day, (daysOf(database, keyId).get(day) ?? 0n) + most)
    }
    database.run('DELETE FROM spending_holds')
  })
}

function daysOf(database: SealedDatabase, keyId: string): Map<number, bigint> {
  const rows = database.all(dayRowSchema, 'SELECT day, body FROM spending_days WHERE key_id = ?', keyId)
  return new Map(rows.map(({ day, body }) => [day, database.unseal(daySchema, dayPlace(keyId, day), body).spent]))
}

function writeDay(database: SealedDatabase, keyId: string, day: number, spent: bigint): void {
  const body = database.seal(dayPlace(keyId, day), { spent: spent.toString() })
  database.run('INSERT INTO spending_days (key_id, day, body) VALUES (?, ?, ?) ON CONFLICT (key_id, day) DO UPDATE SET body = excluded.body', keyId, day, body)
}
