import { z } from 'zod'
import { failureSchema } from './contract/failure.ts'
import { jobKinds, storedAskSchema } from './job-ask.ts'
import { msatSchema } from './lightning.ts'
import { purchaseSchema } from './purchase.ts'
import { callerSchema, picoUsdSchema } from './receipt.ts'

/**
 * How far a job is. `ready`: nothing was sent that costs; `paying`: its purchase is under way; `sending`: noted before the
 * request leaves; `working`: the service took it; `saving`: the answer is kept, and what it names is fetched. `unknown`: it was
 * on its way from the balance when the connection or this process ended, and may have been done and charged. `lost`: it was
 * made, and what the service named it by is gone. `paused`, of embeddings and batches: no further part leaves until its owner
 * says so; `failure` says why, where it was not the owner.
 */
export const jobStates = [
  'ready',
  'paying',
  'sending',
  'working',
  'saving',
  'paused',
  'done',
  'failed',
  'stopped',
  'unknown',
  'lost',
] as const
export const jobStateSchema = z.enum(jobStates)
export type JobState = z.infer<typeof jobStateSchema>

/** `balance`: by the account's key. `single`: by itself over Lightning, with no account (specification, Authentication 5). */
export const payWaySchema = z.enum(['balance', 'single'])
export type PayWay = z.infer<typeof payWaySchema>

/**
 * `answer`: what the service said, byte for byte; `made`: what it made; `part`: a piece of what is being made, until it is
 * joined; `given`: what it was made from.
 */
const fileRoles = ['answer', 'made', 'part', 'given'] as const

/** A file of a job, kept sealed on this machine. */
export const jobFileSchema = z.object({
  index: z.int().min(0),
  role: z.enum(fileRoles),
  /** What it would be saved as: of plain characters, with the ending of its type. */
  name: z.string().max(200),
  /** By its bytes, whatever it was called. */
  type: z.string().max(100),
  bytes: z.int().min(0),
  width: z.int().positive().exactOptional(),
  height: z.int().positive().exactOptional(),
  /** Of a recording, where its form says so. */
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

/** What an embedding has come to: vectors of so many numbers, those of the first texts. */
export const vectorCountsSchema = z.object({ count: z.int().min(0), dimensions: z.int().min(1) })

/** One thing that was asked of the service beside chat, with what came of it. */
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
  /** By the listing, before it was sent. Absent where unknown. */
  estimate: costRangeSchema.exactOptional(),
  /** What it cost; absent until it is known. */
  cost: picoUsdSchema.exactOptional(),
  /** What was paid over Lightning, with the fee. */
  paidMsat: msatSchema.exactOptional(),
  /** Where it is paid by itself: the demand, and how far its payment is. */
  purchase: purchaseSchema.exactOptional(),
  receiptId: z.string().exactOptional(),
  /** Unix ms of when it last left. */
  sentAt: z.number().exactOptional(),
  /** The service's name for it. */
  remoteId: z.string().exactOptional(),
  files: z.array(jobFileSchema),
  /** Of one that is sent in parts: how many there are, and how many are done. */
  parts: z.object({ of: z.int().min(1), done: z.int().min(0) }).exactOptional(),
  /** Of a file that is on its way to the service, in bytes; while the job tells of it, and kept nowhere. */
  onItsWay: z.object({ sent: z.int().min(0), of: z.int().min(1) }).exactOptional(),
  /** Of a batch; `parts.of` says how many rows there are. */
  rows: rowCountsSchema.exactOptional(),
  /** Of an embedding, once there are some. `parts` counts its texts. */
  vectors: vectorCountsSchema.exactOptional(),
  failure: failureSchema.exactOptional(),
  /** What can be done with it now. */
  may: z.array(z.enum(['pay', 'stop', 'pause', 'again', 'resume', 'poll', 'compare'])),
})
export type Job = z.infer<typeof jobSchema>
export type JobAction = Job['may'][number]

/** What a recording says. */
export const transcriptSchema = z.object({
  /** Of `srt` and `vtt` the file as it is; of the others the words. */
  text: z.string(),
  /** What its owner made of it. */
  edited: z.string().exactOptional(),
  language: z.string().exactOptional(),
  seconds: z.number().exactOptional(),
  /** In seconds; absent where the form has no times. */
  segments: z.array(z.object({ start: z.number(), end: z.number(), text: z.string() })).exactOptional(),
})
export type Transcript = z.infer<typeof transcriptSchema>

/** What a job can cost, before it is asked for. */
export const jobEstimateSchema = z.object({
  /** null: unknown, and never nothing. */
  cost: costRangeSchema.nullable(),
  /** Why it is not known, or not exactly. */
  unknown: z.array(z.enum(['price', 'choice', 'length'])),
  /** Of a batch and an embedding: rows or texts, how many of them cannot be sent as they are and cost nothing, and requests. */
  counted: z
    .object({ of: z.int().min(0), unusable: z.int().min(0), requests: z.int().min(0) })
    .exactOptional(),
})
export type JobEstimate = z.infer<typeof jobEstimateSchema>

/** A file that was taken in and belongs to no job yet. */
export const uploadSchema = z.object({
  uploadId: z.string(),
  bytes: z.int().min(0),
  /** By its bytes. */
  type: z.string(),
  width: z.int().positive().exactOptional(),
  height: z.int().positive().exactOptional(),
})
export type Upload = z.infer<typeof uploadSchema>

/** A record of the service's history that may be of a job whose end nobody knows. */
export const jobMatchSchema = z.object({
  at: z.number(),
  model: z.string(),
  type: z.string().exactOptional(),
  cost: picoUsdSchema.exactOptional(),
})
export type JobMatch = z.infer<typeof jobMatchSchema>
