import { z } from 'zod'
import { failureSchema } from './contract/failure.ts'
import { jobKinds, storedAskSchema } from './job-ask.ts'
import { jobStates } from './job-state.ts'
import { msatSchema } from './lightning.ts'
import { purchaseSchema } from './purchase.ts'
import { callerSchema, picoUsdSchema } from './receipt.ts'

export const jobStateSchema = z.enum(jobStates)
export type { JobState } from './job-state.ts'

/**
 * `balance`: the account's key pays. `single`: pay per request over Lightning, without an account
 * (specification, Authentication 5).
 */
export const payWaySchema = z.enum(['balance', 'single'])
export type PayWay = z.infer<typeof payWaySchema>

/**
 * `answer`: the original response; `made`: a result; `part`: a piece of a result, until the pieces are
 * joined; `given`: an input.
 */
const fileRoles = ['answer', 'made', 'part', 'given'] as const

/** A file of a job, stored sealed on this computer. */
export const jobFileSchema = z.object({
  index: z.int().min(0),
  role: z.enum(fileRoles),
  /** The file name for a download: plain characters, with the extension of its type. */
  name: z.string().max(200),
  /** Detected from its bytes, whatever its declared type. */
  type: z.string().max(100),
  bytes: z.int().min(0),
  width: z.int().positive().exactOptional(),
  height: z.int().positive().exactOptional(),
  /** The duration of a recording, if its format states it. */
  seconds: z.number().exactOptional(),
})
export type JobFile = z.infer<typeof jobFileSchema>

/** Pico-USD. */
export const costRangeSchema = z.object({ least: picoUsdSchema, most: picoUsdSchema })

/** Rows of a batch by what became of them; those that are not counted here were not sent. */
export const rowCountsSchema = z.object({
  done: z.int().min(0),
  failed: z.int().min(0),
  unknown: z.int().min(0),
})
export type RowCounts = z.infer<typeof rowCountsSchema>

/** The vectors of an embedding so far, for the first texts: their number and their length. */
export const vectorCountsSchema = z.object({ count: z.int().min(0), dimensions: z.int().min(1) })

/** A request to the service other than chat, with its result. */
export const jobSchema = z.object({
  id: z.string(),
  /** Unix ms. */
  at: z.number(),
  changedAt: z.number(),
  kind: z.enum(jobKinds),
  state: jobStateSchema,
  pay: payWaySchema,
  caller: callerSchema,
  ask: storedAskSchema,
  title: z.string().exactOptional(),
  /** According to the price list, before it was sent. Absent if unknown. */
  estimate: costRangeSchema.exactOptional(),
  /** The cost; absent until it's known. */
  cost: picoUsdSchema.exactOptional(),
  /** The amount paid over Lightning, with the fee. */
  paidMsat: msatSchema.exactOptional(),
  /** For pay per request: the demand, and the state of its payment. */
  purchase: purchaseSchema.exactOptional(),
  receiptId: z.string().exactOptional(),
  /** Unix ms of when it last left. */
  sentAt: z.number().exactOptional(),
  /** The service's name for it. */
  remoteId: z.string().exactOptional(),
  files: z.array(jobFileSchema),
  /** For a job in parts: the total, and how many are done. */
  parts: z.object({ of: z.int().min(1), done: z.int().min(0) }).exactOptional(),
  /** Progress of a file that is being sent, in bytes; only in change events, and never stored. */
  onItsWay: z.object({ sent: z.int().min(0), of: z.int().min(1) }).exactOptional(),
  /** For a batch; `parts.of` is the number of rows. */
  rows: rowCountsSchema.exactOptional(),
  /** For an embedding, once it has vectors. `parts` counts its texts. */
  vectors: vectorCountsSchema.exactOptional(),
  failure: failureSchema.exactOptional(),
  /** The actions that are possible now. */
  may: z.array(z.enum(['pay', 'stop', 'pause', 'again', 'resume', 'poll', 'compare'])),
})
export type Job = z.infer<typeof jobSchema>
export type JobAction = Job['may'][number]

/** The transcript of a recording. */
export const transcriptSchema = z.object({
  /** For `srt` and `vtt` the unchanged file, otherwise the plain text. */
  text: z.string(),
  /** The owner's version. */
  edited: z.string().exactOptional(),
  language: z.string().exactOptional(),
  seconds: z.number().exactOptional(),
  /** In seconds; absent if the format has no times. */
  segments: z.array(z.object({ start: z.number(), end: z.number(), text: z.string() })).exactOptional(),
})
export type Transcript = z.infer<typeof transcriptSchema>

/** The possible cost of a job before it's sent. */
export const jobEstimateSchema = z.object({
  /** null: unknown, and never nothing. */
  cost: costRangeSchema.nullable(),
  /** Why it is not known, or not exactly. */
  unknown: z.array(z.enum(['price', 'choice', 'length'])),
  /**
   * For a batch and an embedding: the rows or texts, how many of them are invalid and cost nothing, and the
   * requests.
   */
  counted: z
    .object({ of: z.int().min(0), unusable: z.int().min(0), requests: z.int().min(0) })
    .exactOptional(),
})
export type JobEstimate = z.infer<typeof jobEstimateSchema>

/** An uploaded file that belongs to no job yet. */
export const uploadSchema = z.object({
  uploadId: z.string(),
  bytes: z.int().min(0),
  /** Detected from its bytes. */
  type: z.string(),
  width: z.int().positive().exactOptional(),
  height: z.int().positive().exactOptional(),
})
export type Upload = z.infer<typeof uploadSchema>

/** A record of the service's history that may belong to a job whose outcome is unknown. */
export const jobMatchSchema = z.object({
  at: z.number(),
  model: z.string(),
  type: z.string().exactOptional(),
  cost: picoUsdSchema.exactOptional(),
})
export type JobMatch = z.infer<typeof jobMatchSchema>
