import { eventIterator } from '@orpc/contract'
import { z } from 'zod'
import {
  historyFilterSchema,
  historyRecordSchema,
  missingReceiptSchema,
  spendingSummarySchema,
} from '../history.ts'
import { call, idSchema } from './call.ts'
import { receiptSchema } from '../receipt.ts'

const historyEventSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('progress'), read: z.int().min(0), of: z.int().min(0) }),
  z.object({ type: z.literal('text'), text: z.string() }),
  z.object({ type: z.literal('ended'), records: z.int().min(0), unreadable: z.int().min(0) }),
])
export type HistoryEvent = z.infer<typeof historyEventSchema>

export const historyContract = {
  /**
   * The newest first. A cursor continues where a page ended, so that new records neither repeat nor hide
   * any; `next` is null at the end. A page may have fewer than `limit` records before the end, and more if
   * several are of the same moment. `total` is the service's count; null if it doesn't count the requested
   * records.
   *
   * `missing`: receipts within the time of the page that the service's history doesn't have, the newest
   * first. `uncompared`: the number of receipts for which that is unclear; null if none were compared.
   * Reading a page confirms doubted costs.
   */
  page: call
    .input(
      z.object({
        filter: historyFilterSchema,
        cursor: z.string().max(500).optional(),
        limit: z.int().min(1).max(100).default(50),
      }),
    )
    .output(
      z.object({
        records: z.array(historyRecordSchema),
        next: z.string().nullable(),
        total: z.int().min(0).nullable(),
        unreadable: z.int().min(0),
        missing: z.array(missingReceiptSchema),
        uncompared: z.int().min(0).nullable(),
      }),
    ),
  /** Sums of the whole range, streamed as they grow, until all is read or the caller leaves. */
  summary: call.input(z.object({ filter: historyFilterSchema })).output(eventIterator(spendingSummarySchema)),
  /** The whole range as one file in pieces; until it is read or left. */
  export: call
    .input(z.object({ filter: historyFilterSchema, format: z.enum(['csv', 'json']) }))
    .output(eventIterator(historyEventSchema)),
}

export const receiptsContract = {
  list: call.input(z.object({ limit: z.int().min(1).max(500).default(100) })).output(z.array(receiptSchema)),
  get: call.input(z.object({ receiptId: idSchema })).output(receiptSchema),
}
