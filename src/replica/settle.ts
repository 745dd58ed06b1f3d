import { z } from 'zod'
import { tokensOf } from '../core/gateway/proxy/index.ts'
import type { Statements } from './database.ts'
import { amountSchema, type SettleOperation } from './ledger-operations.ts'

const endedSchema = z.object({
  kind: z.enum(['request', 'absence']),
  id: z.string(),
  key_id: z.string(),
  day: z.int(),
  amount: amountSchema,
})
const idSchema = z.object({ id: z.string() })

/** Changes of one day of a key, in pico-USD. */
interface DayChange {
  readonly keyId: string
  readonly day: number
  spent: bigint
  reserved: bigint
}

/** Adds changes of days, so that each row is written once. */
export class DayChanges {
  readonly #changes = new Map<string, DayChange>()

  add(keyId: string, day: number, { spent = 0n, reserved = 0n }: Partial<DayChange>): void {
    const key = `${keyId}/${String(day)}`
    const change = this.#changes.get(key) ?? { keyId, day, spent: 0n, reserved: 0n }
    change.spent += spent
    change.reserved += reserved
    this.#changes.set(key, change)
  }

  /** Writes the changes. The caller has locked the keys' ledgers. */
  async write(statements: Statements): Promise<void> {
    const changes = [...this.#changes.values()].filter(
      ({ spent, reserved }) => spent !== 0n || reserved !== 0n,
    )
    this.#changes.clear()
    if (changes.length === 0) return
    // The row is created first: the constraint refuses a negative amount in a row to insert.
    const days = [changes.map(({ keyId }) => keyId), changes.map(({ day }) => day)]
    await statements.execute(
      `INSERT INTO key_days (key_id, day) SELECT * FROM unnest($1::uuid[], $2::integer[])
       ON CONFLICT (key_id, day) DO NOTHING`,
      days,
    )
    await statements.execute(
      `UPDATE key_days SET spent = key_days.spent + change.spent, reserved = key_days.reserved + change.reserved
       FROM unnest($1::uuid[], $2::integer[], $3::numeric[], $4::numeric[]) AS change (key_id, day, spent, reserved)
       WHERE key_days.key_id = change.key_id AND key_days.day = change.day`,
      [...days, changes.map(({ spent }) => String(spent)), changes.map(({ reserved }) => String(reserved))],
    )
  }
}

/**
 * Ends requests and saves their receipts. The caller has locked the ledgers of their keys.
 *
 * The lease of a request may have ended before: then it's charged at its most, and recorded as absent. The receipt
 * corrects that. A receipt that is already saved shows that the operation was applied before.
 */
export async function settle(
  statements: Statements,
  replicaId: string,
  operations: readonly SettleOperation[],
): Promise<void> {
  if (operations.length === 0) return
  const ended = await statements.query(
    endedSchema,
    `WITH requests_ended AS (DELETE FROM requests WHERE id = ANY($1::text[]) RETURNING id, key_id, day, reserved),
     absences_ended AS (DELETE FROM absences WHERE id = ANY($2::text[]) RETURNING id, key_id, day, charged)
     SELECT 'request' AS kind, id, key_id, day, reserved AS amount FROM requests_ended
     UNION ALL SELECT 'absence', id, key_id, day, charged FROM absences_ended`,
    [
      operations.map(({ receiptId }) => receiptId),
      // Without a receipt, an absence isn't corrected: the request's outcome stays unknown.
      operations.filter(({ receipt }) => receipt).map(({ receiptId }) => receiptId),
    ],
  )
  const saved = new Set(await saveReceipts(statements, replicaId, operations))
  const changes = new DayChanges()
  for (const { receiptId, keyId, day, charged, receipt } of operations) {
    const found = ended.filter(({ id }) => id === receiptId)
    const [row] = found
    for (const { kind, key_id, day: itsDay, amount } of found)
      changes.add(key_id, itsDay, kind === 'request' ? { reserved: -amount } : { spent: -amount })
    const chargedKey = row?.key_id ?? keyId
    if (chargedKey !== undefined && (row || (receipt && saved.has(receiptId))))
      changes.add(chargedKey, row?.day ?? day, { spent: charged })
  }
  await changes.write(statements)
  await countTokens(
    statements,
    operations.filter(({ receiptId }) => saved.has(receiptId)),
  )
}

/** @returns the IDs of the receipts that weren't saved before */
async function saveReceipts(
  statements: Statements,
  replicaId: string,
  operations: readonly SettleOperation[],
): Promise<string[]> {
  const receipts = operations.flatMap(({ receipt, keyId }) =>
    receipt ? [{ receipt, keyId: keyId ?? null }] : [],
  )
  if (receipts.length === 0) return []
  const rows = await statements.query(
    idSchema,
    `INSERT INTO receipts (id, key_id, replica_id, at, body)
     SELECT id, key_id, $1::uuid, to_timestamp(at / 1000), body
     FROM unnest($2::text[], $3::uuid[], $4::double precision[], $5::jsonb[]) AS receipt (id, key_id, at, body)
     ON CONFLICT (id) DO NOTHING RETURNING id`,
    [
      replicaId,
      receipts.map(({ receipt }) => receipt.id),
      receipts.map(({ keyId }) => keyId),
      receipts.map(({ receipt }) => receipt.at),
      receipts.map(({ receipt }) => JSON.stringify(receipt)),
    ],
  )
  return rows.map(({ id }) => id)
}

/** Adds the tokens of replies to the database's current second. */
async function countTokens(statements: Statements, operations: readonly SettleOperation[]): Promise<void> {
  const sums = new Map<string, number>()
  for (const { keyId, receipt } of operations) {
    const tokens = receipt ? tokensOf(receipt) : 0
    if (keyId !== undefined && tokens > 0) sums.set(keyId, (sums.get(keyId) ?? 0) + tokens)
  }
  if (sums.size === 0) return
  await statements.execute(
    `INSERT INTO token_seconds (key_id, second, tokens)
     SELECT key_id, floor(extract(epoch FROM clock_timestamp())), tokens
     FROM unnest($1::uuid[], $2::bigint[]) AS reply (key_id, tokens)
     ON CONFLICT (key_id, second) DO UPDATE SET tokens = token_seconds.tokens + excluded.tokens`,
    [[...sums.keys()], [...sums.values()]],
  )
}
