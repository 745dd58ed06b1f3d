import { z } from 'zod'
import { storedErrorCodeSchema } from './error-codes/stored-code.ts'
import { storedAskSchema } from './job-ask.ts'
import {
  costRangeSchema,
  jobFileSchema,
  jobStateSchema,
  payWaySchema,
  rowCountsSchema,
  vectorCountsSchema,
} from './job.ts'
import { rowStateSchema } from './job-rows.ts'
import { msatSchema } from './lightning.ts'
import { callerSchema, picoUsdSchema } from './receipt.ts'
import { storedTextSchema } from './localized-text-schema.ts'

/** A stored job: the members that the window sees, and internal ones. */
export const jobRecordSchema = z.object({
  id: z.string(),
  /** Unix ms. */
  at: z.number(),
  changedAt: z.number(),
  state: jobStateSchema,
  pay: payWaySchema,
  caller: callerSchema,
  ask: storedAskSchema,
  title: z.string().exactOptional(),
  /** The owner's version of a transcript. */
  note: z.string().exactOptional(),
  estimate: costRangeSchema.exactOptional(),
  cost: picoUsdSchema.exactOptional(),
  paidMsat: msatSchema.exactOptional(),
  /** The account from whose balance it is paid: no other is asked about it. */
  accountId: z.string().exactOptional(),
  purchaseId: z.string().exactOptional(),
  receiptId: z.string().exactOptional(),
  sentAt: z.number().exactOptional(),
  remoteId: z.string().exactOptional(),
  files: z.array(jobFileSchema).readonly(),
  parts: z.object({ of: z.int().min(1), done: z.int().min(0) }).exactOptional(),
  rows: rowCountsSchema.exactOptional(),
  vectors: vectorCountsSchema.exactOptional(),
  failure: z
    .object({ code: storedErrorCodeSchema, detail: storedTextSchema.exactOptional() })
    .exactOptional(),
})
export type JobRecord = Readonly<z.infer<typeof jobRecordSchema>>

/** A stored row of a batch; absent in the initial state. */
export const jobPartSchema = z.object({
  /** Its place among the rows, from 0. */
  part: z.int().min(0),
  state: rowStateSchema,
  sentAt: z.number().exactOptional(),
  /**
   * Pico-USD that count towards the cap for all completed attempts; the highest possible cost if the cost
   * is unknown.
   */
  held: picoUsdSchema.exactOptional(),
  /** The highest cost of an attempt in progress or of unknown outcome. */
  price: picoUsdSchema.exactOptional(),
  cost: picoUsdSchema.exactOptional(),
  paidMsat: msatSchema.exactOptional(),
  purchaseId: z.string().exactOptional(),
  receiptId: z.string().exactOptional(),
  /** JSON text, if it's short; a longer response is a file of the job. */
  answer: z.string().exactOptional(),
  answerBytes: z.int().min(0).exactOptional(),
  failure: z
    .object({ code: storedErrorCodeSchema, detail: storedTextSchema.exactOptional() })
    .exactOptional(),
})
export type JobPart = Readonly<z.infer<typeof jobPartSchema>>
