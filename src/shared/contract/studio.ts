import { eventIterator } from '@orpc/contract'
import { z } from 'zod'
import { cleanDisplayName, displayName } from '../display-name.ts'
import { csvDelimiters, givenFileSchema, jobAskSchema, jobKinds } from '../job-ask.ts'
import {
  jobEstimateSchema,
  jobMatchSchema,
  jobSchema,
  payWaySchema,
  transcriptSchema,
  uploadSchema,
} from '../job.ts'
import {
  batchRowSchema,
  batchRowsSchema,
  csvTableSchema,
  embeddingExportForms,
  MAX_ROWS_AT_ONCE,
  rowStateSchema,
  vectorPageSchema,
} from '../job-rows.ts'
import { modelSchema } from '../model.ts'
import { picoUsdSchema } from '../receipt.ts'
import { call, idSchema } from './call.ts'

const one = z.object({ jobId: idSchema })
const several = z.object({ jobIds: z.array(idSchema).min(1).max(1000) })
const path = z.object({ path: z.string(), /** Unix ms. */ expiresAt: z.number() })

export const MAX_UPLOAD_BYTES = 512 * 1024 * 1024

/** Requests for images and other media. Each is a job, which continues after this process ends. */
export const studioContract = {
  upload: {
    /**
     * After this call the bytes are PUT to the path once, within ten minutes, in the declared size. The PUT
     * responds with 200 and uploadSchema (../job.ts), or 422 and failureSchema. The file is encrypted on
     * the disk. Throws studio/file-empty, studio/file-too-large.
     */
    begin: call
      .input(z.object({ name: displayName(300), size: z.int().min(0) }))
      .output(path.extend({ uploadId: z.string() })),
    /** A picture of a message, as one that was uploaded. Throws conversation/unknown, attachment/unknown, studio/image-type. */
    attached: call.input(z.object({ conversationId: idSchema, attachmentId: idSchema })).output(uploadSchema),
  },
  /** A path for the bytes of a file of a job, with ranges, for some minutes: for `src` of an image or a player, or to save it. Throws studio/unknown. */
  link: call.input(one.extend({ index: z.int().min(0), download: z.boolean().default(false) })).output(path),
  /**
   * A path to all speech from its beginning, streamed as it arrives, for a player that decodes MPEG audio
   * incrementally. Responds once the first bytes have arrived. Throws studio/unknown, and
   * studio/invalid-state if the job isn't in progress, or has another format: then its parts are files.
   */
  listen: call.input(one).output(path.extend({ type: z.string() })),
  /**
   * The possible cost according to the price list. Sends no user data. Refuses an invalid file. Throws like
   * start.
   */
  estimate: call.input(z.object({ ask: jobAskSchema })).output(jobEstimateSchema),
  /**
   * Starts a job. `balance`: it's sent at once. `single`: the whole request is sent to the service for a
   * quote, and the job is `ready` with its purchase, which `pay` pays. `most`: refuses the job if its cost
   * according to the price list is higher or unknown, and declines a higher quote. Invalid jobs are refused
   * before anything is sent. Throws studio/…, request/invalid, service/…, payment/…, model/unknown,
   * privacy/path. Content of a private conversation (`from`, or one of its pictures) needs a consent for
   * `studio`, for exactly this text and picture. Throws privacy/consent-….
   */
  start: call
    .input(
      z.object({
        ask: jobAskSchema,
        pay: payWaySchema,
        most: picoUsdSchema.optional(),
        consentId: idSchema.optional(),
      }),
    )
    .output(jobSchema),
  /**
   * Pays a job that is `ready` from the wallet. Responds like purchases.pay, and `watch` continues. Throws
   * studio/invalid-state, payment/…, wallet/…, confirm/….
   */
  pay: call.input(one).output(jobSchema),
  /**
   * Sends no further part of an embedding or a batch in progress, and waits for those that were sent. The
   * job is then `paused` until `resume`. Throws studio/invalid-state.
   */
  pause: call.input(one).output(jobSchema),
  /**
   * Stops a job that was neither sent nor paid. For a job in parts, sends no further part. Throws
   * studio/invalid-state.
   */
  stop: call.input(one).output(jobSchema),
  /**
   * Starts and pays a new job with the same request. `most` as in start; a batch uses it as its cap, or
   * otherwise the cap of the earlier job. Throws like start, and studio/invalid-state while the first job
   * is in progress, or paid and not delivered.
   */
  again: call
    .input(
      one.extend({
        pay: payWaySchema.optional(),
        most: picoUsdSchema.optional(),
        consentId: idSchema.optional(),
      }),
    )
    .output(jobSchema),
  /**
   * Continues a job where it ended: delivers a paid request and fetches results, without paying again. For
   * a job in parts, sends and pays for the parts that aren't done. Rows of a batch that failed or whose
   * outcome is unknown are sent and paid again only if `rows` includes their state; `most` is its cap from
   * now on. Throws studio/invalid-state.
   */
  resume: call
    .input(
      one.extend({
        rows: z
          .array(z.enum(['failed', 'unknown']))
          .max(2)
          .optional(),
        most: picoUsdSchema.optional(),
      }),
    )
    .output(jobSchema),
  /** Asks the service now how far it is. Throws studio/invalid-state. */
  poll: call.input(one).output(jobSchema),
  /**
   * For a job whose outcome is unknown: records of the service's history with the same model and time.
   * Throws studio/invalid-state, service/….
   */
  compare: call.input(one).output(
    z.object({
      matches: z.array(jobMatchSchema),
      /** All records of that time were read. */ whole: z.boolean(),
    }),
  ),
  /**
   * The newest first. `text`: every word must occur in the title, prompt, model or file names. `next` is
   * absent at the end.
   */
  list: call
    .input(
      z.object({
        kinds: z.array(z.enum(jobKinds)).min(1).optional(),
        text: z.string().max(500).optional(),
        before: z.string().max(40).optional(),
        limit: z.int().min(1).max(200).default(60),
      }),
    )
    .output(z.object({ jobs: z.array(jobSchema), next: z.string().exactOptional() })),
  get: call.input(one).output(jobSchema),
  /** First all that have not ended, then each that changed, and the ids of those that were removed. */
  watch: call.output(eventIterator(z.object({ jobs: z.array(jobSchema), removed: z.array(z.string()) }))),
  /** Empty takes the title away. */
  rename: call
    .input(one.extend({ title: z.string().overwrite(cleanDisplayName).max(200) }))
    .output(jobSchema),
  /**
   * Hides jobs that have ended, and deletes them with their files when the removal can no longer be undone.
   * Jobs in progress remain.
   */
  remove: call.input(several).output(z.object({ removed: z.array(z.string()), undoMs: z.number() })),
  /** Takes a removal back: those that were still there. */
  restore: call.input(several).output(z.array(jobSchema)),
  /** The storage used, by kind. */
  usage: call.output(
    z.array(z.object({ kind: z.enum(jobKinds), jobs: z.int(), files: z.int(), bytes: z.int() })),
  ),
  /**
   * A path to one ZIP file with a folder for each job, and a manifest of the request, cost and receipt.
   * Throws studio/unknown, and request/invalid above 4 GB.
   */
  export: call.input(several).output(path.extend({ name: z.string() })),
  /** The saved transcript of a recording. Throws studio/unknown, studio/invalid-state. */
  transcript: call.input(one).output(transcriptSchema),
  /** Saves the owner's version of a transcript; empty removes it. Throws studio/unknown. */
  edit: call.input(one.extend({ text: z.string().max(4_000_000) })).output(jobSchema),
  /**
   * How a CSV file would be read, all of it: its columns, how many rows, and the first of them. Throws studio/text-encoding, studio/csv-malformed,
   * studio/csv-empty, studio/csv-rows, studio/upload-unknown.
   */
  table: call
    .input(
      z.object({
        file: givenFileSchema,
        header: z.boolean().default(true),
        delimiter: z.enum(csvDelimiters).optional(),
      }),
    )
    .output(csvTableSchema),
  /**
   * Rows of a batch from this one on, in order, only in these states if specified. Throws studio/unknown.
   */
  rows: call
    .input(
      one.extend({
        from: z.int().min(0).default(0),
        limit: z.int().min(1).max(MAX_ROWS_AT_ONCE).default(100),
        states: z.array(rowStateSchema).min(1).max(5).optional(),
      }),
    )
    .output(batchRowsSchema),
  /** One row, with the whole of its answer. Throws studio/unknown. */
  row: call.input(one.extend({ index: z.int().min(0) })).output(batchRowSchema),
  /** Vectors of an embedding that are there, from this one on. Throws studio/unknown. */
  vectors: call
    .input(
      one.extend({
        from: z.int().min(0).default(0),
        limit: z.int().min(1).max(MAX_ROWS_AT_ONCE).default(100),
      }),
    )
    .output(vectorPageSchema),
  /**
   * A path for one file of what a batch (csv, json) or an embedding has come to, finished or not. A cell that a spreadsheet would take
   * for a formula is written as text. Throws studio/unknown, studio/invalid-state.
   */
  results: call
    .input(one.extend({ format: z.enum(embeddingExportForms) }))
    .output(path.extend({ name: z.string() })),
  /** Image models, as listed. */
  models: call
    .input(z.object({ types: z.array(z.enum(['image', 'video', 'embedding'])).min(1) }))
    .output(z.array(modelSchema)),
}
