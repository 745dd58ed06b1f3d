import { z } from 'zod'
import { receiptSchema, type Receipt } from '../../shared/receipt.ts'
import type { SealedDatabase } from './sealed-database.ts'
import type { Store } from './store.ts'

/** One transaction for what comes within this time. */
const DELAY_MS = 50
/** So many are written at once without waiting longer: well under a millisecond of work. */
const BATCH = 128
/** While the disk refuses; then the oldest is lost. */
const MOST_WAITING = 10_000

const rowSchema = z.object({ id: z.string(), body: z.instanceof(Uint8Array) })
const place = (id: string) => `receipts/body/${id}`

/** On the hot path of the proxy: sealed when put, written with others a moment later. Reading writes what waits first. */
export function receiptsIn(database: SealedDatabase): Store['receipts'] & { stop(): void } {
  let waiting: { id: string; at: number; body: Uint8Array }[] = []
  let timer: NodeJS.Timeout | undefined
  const toReceipt = ({ id, body }: z.infer<typeof rowSchema>) => database.unseal(receiptSchema, place(id), body)

  function flush(): void {
    stop()
    if (waiting.length === 0) return
    database.transaction(() => {
      for (const { id, at, body } of waiting) {
        database.run('INSERT INTO receipts (id, at, body) VALUES (?, ?, ?) ON CONFLICT (id) DO UPDATE SET at = excluded.at, body = excluded.body', id, at, body)
      }
    })
    waiting = []
  }
  /** What cannot be written now waits for the next; whoever flushes or closes is told. */
  function tryFlush(): void {
    try {
      flush()
    } catch {
      waiting.splice(0, waiting.length - MOST_WAITING)
    }
  }
  function stop(): void {
    clearTimeout(timer)
    timer = undefined
  }

  return {
    flush,
    stop,
    put(receipt) {
      waiting.push({ id: receipt.id, at: Math.trunc(receipt.at), body: database.seal(place(receipt.id), receipt) })
      if (waiting.length % BATCH === 0) tryFlush()
      else timer ??= setTimeout(tryFlush, DELAY_MS)
    },
    get(id): Receipt | null {
      flush()
      const row = database.get(rowSchema, 'SELECT id, body FROM receipts WHERE id = ?', id)
      return row && toReceipt(row)
    },
    list(limit): Receipt[] {
      flush()
      return database.all(rowSchema, 'SELECT id, body FROM receipts ORDER BY at DESC, seq DESC LIMIT ?', limit).map(toReceipt)
    },
  }
}
