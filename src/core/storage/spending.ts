import { z } from 'zod'
import type { DeferredWrites } from './deferred-writes.ts'
import { toWaiting, writeReceipts } from './receipt-pages.ts'
import { readOr, type SealedDatabase } from './sealed-database.ts'
import type { Store } from './store.ts'

const picoUsd = z
  .string()
  .regex(/^\d{1,40}$/)
  .transform(BigInt)
const holdRowSchema = z.object({ seq: z.number(), body: z.instanceof(Uint8Array) })
const holdSchema = z.object({ keyId: z.string(), day: z.int(), most: picoUsd })
const dayRowSchema = z.object({ day: z.number(), body: z.instanceof(Uint8Array) })
const bodyRowSchema = z.object({ body: z.instanceof(Uint8Array) })
const daySchema = z.object({ spent: picoUsd })

const holdPlace = (seq: number) => `spending_holds/body/${String(seq)}`
const dayPlace = (keyId: string, day: number) => `spending_days/body/${keyId}/${String(day)}`

/** One day of one key. */
interface Day {
  readonly seq: number
  readonly keyId: string
  readonly day: number
  reserved: bigint
  spent: bigint
  /** The spending in the file, and the amount beyond it that the file covers. */
  writtenSpent: bigint
  covered: bigint
}

/**
 * Stores the spending of local keys.
 *
 * Invariant: before a request is sent, the file covers everything that isn't written yet, which is all
 * reservations and the spending since the last flush. A request writes nothing if the cover is large
 * enough. If it isn't, and another request came just before, the request doubles the cover. The day's sum
 * is written a moment later in one transaction with the receipt, and the cover returns to the reservations.
 */
export function spendingIn(database: SealedDatabase, deferred: DeferredWrites): Store['spending'] {
  const days = new Map<string, Map<number, Day>>()
  let begun = 0
  const changed = new Set<Day>()

  const noted = deferred.join({
    write() {
      for (const day of changed) {
        if (day.spent !== day.writtenSpent) writeDay(database, day.keyId, day.day, day.spent)
        writeCover(database, day, day.reserved)
      }
    },
    written() {
      for (const day of changed) {
        day.writtenSpent = day.spent
        day.covered = day.reserved
      }
      changed.clear()
    },
    // The cover in the file remains. While the disk fails, no request that needs more is sent.
    refused: () => undefined,
  })

  function dayOf(keyId: string, day: number): Day {
    const ofKey = days.get(keyId) ?? new Map<number, Day>()
    let known = ofKey.get(day)
    if (!known) {
      const spent = spentOn(database, keyId, day)
      known = { seq: ++begun, keyId, day, reserved: 0n, spent, writtenSpent: spent, covered: 0n }
      days.set(keyId, ofKey.set(day, known))
    }
    return known
  }

  return {
    spent(keyId) {
      deferred.flush()
      return daysOf(database, keyId)
    },
    hold(keyId, dayNumber, reserved) {
      const day = dayOf(keyId, dayNumber)
      const needed = reserved + day.spent - day.writtenSpent
      if (needed > day.covered) {
        const cover = needed > 2n * day.covered ? needed : 2n * day.covered
        writeCover(database, day, cover)
        day.covered = cover
      }
      day.reserved = reserved
    },
    settle(keyId, dayNumber, reserved, spent) {
      const day = dayOf(keyId, dayNumber)
      day.reserved = reserved
      day.spent = spent
      changed.add(day)
      noted()
    },
    correct(keyId, dayNumber, spent, receipt) {
      // Write pending data first, so that it can't overwrite the corrected receipt or sum later.
      deferred.flush()
      const day = dayOf(keyId, dayNumber)
      database.transaction(() => {
        writeDay(database, keyId, dayNumber, spent)
        writeReceipts(database, [toWaiting(receipt)])
      })
      day.spent = spent
      day.writtenSpent = spent
    },
  }
}

function writeCover(database: SealedDatabase, { seq, keyId, day, covered }: Day, cover: bigint): void {
  if (cover === covered) return
  if (cover === 0n) database.run('DELETE FROM spending_holds WHERE seq = ?', seq)
  else {
    const body = database.seal(holdPlace(seq), { keyId, day, most: cover.toString() })
    database.run(
      'INSERT INTO spending_holds (seq, body) VALUES (?, ?) ON CONFLICT (seq) DO UPDATE SET body = excluded.body',
      seq,
      body,
    )
  }
}

/**
 * Charges the cover of a process that ended, because the progress of its requests is unknown. A reservation
 * that can't be read is skipped: the root reports it.
 */
export function chargeHolds(database: SealedDatabase): void {
  const holds = database.all(holdRowSchema, 'SELECT * FROM spending_holds')
  if (holds.length === 0) return
  database.transaction(() => {
    for (const { seq, body } of holds) {
      readOr(() => {
        const { keyId, day, most } = database.unseal(holdSchema, holdPlace(seq), body)
        writeDay(database, keyId, day, spentOn(database, keyId, day) + most)
        database.run('DELETE FROM spending_holds WHERE seq = ?', seq)
      }, undefined)
    }
  })
}

function daysOf(database: SealedDatabase, keyId: string): Map<number, bigint> {
  const rows = database.all(dayRowSchema, 'SELECT day, body FROM spending_days WHERE key_id = ?', keyId)
  return new Map(
    rows.map(({ day, body }) => [day, database.unseal(daySchema, dayPlace(keyId, day), body).spent]),
  )
}

function spentOn(database: SealedDatabase, keyId: string, day: number): bigint {
  const row = database.get(
    bodyRowSchema,
    'SELECT body FROM spending_days WHERE key_id = ? AND day = ?',
    keyId,
    day,
  )
  return row ? database.unseal(daySchema, dayPlace(keyId, day), row.body).spent : 0n
}

function writeDay(database: SealedDatabase, keyId: string, day: number, spent: bigint): void {
  const body = database.seal(dayPlace(keyId, day), { spent: spent.toString() })
  database.run(
    'INSERT INTO spending_days (key_id, day, body) VALUES (?, ?, ?) ON CONFLICT (key_id, day) DO UPDATE SET body = excluded.body',
    keyId,
    day,
    body,
  )
}
