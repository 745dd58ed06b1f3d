import { z } from 'zod'
import { isErrorCode, type ErrorCode } from './error-codes.ts'
import { keptAskSchema } from './job-ask.ts'
import { costRangeSchema, jobFileSchema, jobStateSchema, payWaySchema, rowCountsSchema, vectorCountsSchema } from './job.ts'
import { msatSchema } from './lightning.ts'
import { callerSchema, picoUsdSchema } from './receipt.ts'

const errorCode = z.custom<ErrorCode>((code) => typeof code === 'string' && isErrorCode(code))

/** A job as it is kept: what the window sees of it, and what only this side needs. */
export const jobRecordSchema = z.object({
  id: z.string(),
  /** Unix ms. */
  at: z.number(),
  changedAt: z.number(),
  state: jobStateSchema,
  pay: payWaySchema,
  caller: callerSchema,
  ask: keptAskSchema,
  title: z.string().exactOptional(),
  /** A text that its owner made of what came. */
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
  failure: z.object({ code: errorCode, detail: z.string().exactOptional() }).exactOptional(),
})
export type JobRecord = Readonly<z.infer<typeof jobRecordSchema>>
