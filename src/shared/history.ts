import { z } from 'zod'
import { privacyWords } from './privacy.ts'
import { picoUsdSchema } from './receipt.ts'

/** The filter of a query (specification, Query history). Days are UTC and both included. */
export const historyFilterSchema = z.object({
  from: z.iso.date().exactOptional(),
  until: z.iso.date().exactOptional(),
  model: z.string().min(1).max(200).exactOptional(),
  source: z.string().min(1).max(100).exactOptional(),
  type: z.string().min(1).max(100).exactOptional(),
  /** One of the account's keys; absent: all of them. */
  keyId: z.string().min(1).max(100).exactOptional(),
})
export type HistoryFilter = z.infer<typeof historyFilterSchema>

/** One query as the service recorded it. */
export const historyRecordSchema = z.object({
  /** Unix ms. */
  at: z.number(),
  model: z.string(),
  inputTokens: z.number().exactOptional(),
  outputTokens: z.number().exactOptional(),
  cost: picoUsdSchema.exactOptional(),
  type: z.string().exactOptional(),
  source: z.string().exactOptional(),
  keyId: z.string().exactOptional(),
  keyName: z.string().exactOptional(),
  online: z.boolean().exactOptional(),
  freeModel: z.boolean().exactOptional(),
  errorCode: z.string().exactOptional(),
  /**
   * This computer's receipt, if exactly one agrees in key, model, tokens and time, and it agrees with no other record. Without a receipt
   * nothing is stated about who could read the request, because a model's name proves nothing. `cost` is the receipt's;
   * `confirmed` if the service's history confirmed it.
   */
  receipt: z
    .object({
      id: z.string(),
      privacy: z.enum(privacyWords),
      cost: picoUsdSchema.exactOptional(),
      confirmed: z.literal(true).exactOptional(),
    })
    .exactOptional(),
})
export type HistoryRecord = z.infer<typeof historyRecordSchema>

/** A request with a cost that the service's history doesn't have, by this computer's receipt. */
export const missingReceiptSchema = z.object({
  /** Unix ms. */
  at: z.number(),
  model: z.string(),
  inputTokens: z.number().exactOptional(),
  outputTokens: z.number().exactOptional(),
  keyId: z.string().exactOptional(),
  keyName: z.string().exactOptional(),
  receipt: z.object({ id: z.string(), privacy: z.enum(privacyWords), cost: picoUsdSchema }),
})
export type MissingReceipt = z.infer<typeof missingReceiptSchema>

/** One line of the history: a record of the service, or a receipt that it has no record of. */
export type HistoryLine = { readonly record: HistoryRecord } | { readonly missing: MissingReceipt }

/** Records and missing receipts in order of time, the newest first. Both are in that order already. */
export function linesOf(
  records: readonly HistoryRecord[],
  missing: readonly MissingReceipt[],
): HistoryLine[] {
  const lines: HistoryLine[] = []
  let next = 0
  for (const record of records) {
    for (let each = missing[next]; each && each.at > record.at; each = missing[next]) {
      lines.push({ missing: each })
      next += 1
    }
    lines.push({ record })
  }
  return [...lines, ...missing.slice(next).map((each) => ({ missing: each }))]
}

/** Exact sums of a joined list, in pico-USD. */
export interface JoinedSums {
  /** Records whose cost and whose receipt's cost are known. */
  readonly compared: number
  readonly byService: bigint
  readonly byReceipts: bigint
  /** Records among them whose costs differ. */
  readonly differing: number
  readonly missing: number
  readonly missingCost: bigint
}

/** Sums up both sides of a joined list. */
export function joinedSums(
  records: readonly HistoryRecord[],
  missing: readonly MissingReceipt[],
): JoinedSums {
  let [compared, differing, byService, byReceipts, missingCost] = [0, 0, 0n, 0n, 0n]
  for (const record of records) {
    if (record.cost === undefined || record.receipt?.cost === undefined) continue
    compared += 1
    byService += BigInt(record.cost)
    byReceipts += BigInt(record.receipt.cost)
    if (receiptDifference(record) !== undefined) differing += 1
  }
  for (const { receipt } of missing) missingCost += BigInt(receipt.cost)
  return { compared, byService, byReceipts, differing, missing: missing.length, missingCost }
}

/**
 * How much more the service charged than the receipt shows, in pico-USD. Undefined if they agree, or if one
 * of them has no cost.
 */
export function receiptDifference({
  cost,
  receipt,
}: Pick<HistoryRecord, 'cost' | 'receipt'>): bigint | undefined {
  if (cost === undefined || receipt?.cost === undefined) return undefined
  const difference = BigInt(cost) - BigInt(receipt.cost)
  return difference === 0n ? undefined : difference
}

export const groupings = ['day', 'model', 'source', 'key'] as const
export type Grouping = (typeof groupings)[number]

/** Sums over the records of a range. */
const spendingGroupSchema = z.object({
  /** A day (`2026-11-22`), a model, a source, or a key's name. */
  label: z.string(),
  /** All that have no group of their own any more, since there are too many. */
  rest: z.literal(true).exactOptional(),
  cost: picoUsdSchema,
  /** Records without a cost are counted and not priced. */
  unpriced: z.int().min(0),
  requests: z.int().min(0),
  inputTokens: z.int().min(0),
  outputTokens: z.int().min(0),
})
export type SpendingGroup = z.infer<typeof spendingGroupSchema>

export const MOST_DAY_MODELS = 1_000

export const spendingSummarySchema = z.object({
  groups: z.object({
    day: z.array(spendingGroupSchema),
    model: z.array(spendingGroupSchema),
    source: z.array(spendingGroupSchema),
    key: z.array(spendingGroupSchema),
  }),
  /** The cost of each model on each day, in the order of the days. If there are too many, the others are only in `groups`. */
  dayModels: z
    .array(z.object({ day: z.string(), model: z.string(), cost: picoUsdSchema }))
    .max(MOST_DAY_MODELS),
  total: spendingGroupSchema,
  /**
   * The records read so far, and the total. If the service can't filter by key, these are all records of
   * the account in the range, and the sums include only those of the key.
   */
  read: z.int().min(0),
  of: z.int().min(0),
  /** Entries that could not be read, and are in no sum. */
  unreadable: z.int().min(0),
})
export type SpendingSummary = z.infer<typeof spendingSummarySchema>
