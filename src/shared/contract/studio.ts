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

/** Images, and what else is made by the service: each is a job, that outlives this process. */
export const studioContract = {
  upload: {
    /**
     * Then the bytes are PUT to the path, once, within ten minutes: as long as was said. The PUT answers 200 with uploadSchema
     * (../job.ts), or 422 with failureSchema. Nothing of it is in the clear on the disk. Throws studio/file-empty, studio/file-too-large.
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
   * A path of all that is spoken, from its beginning and as it comes, for a player that decodes MPEG audio while it comes. Answers
   * once the first of it is there. Throws studio/unknown, and studio/invalid-state where it is not under way, or of another form: its parts are files.
   */
  listen: call.input(one).output(path.extend({ type: z.string() })),
  /** What it can cost by the listing. Sends nothing of the user's. A file that is wrong is refused here already. Throws as start does. */
  estimate: call.input(z.object({ ask: jobAskSchema })).output(jobEstimateSchema),
  /**
   * Begins a job. `balance`: it leaves at once; `single`: the service is asked for its price, which takes all of it there, and
   * the job is `ready` with its purchase, to be paid by `pay`. `most`: refused where it can cost more by the listing, or
   * nobody knows, and where the service then asks for more, which is declined. All that is wrong with it here is refused before anything leaves. Throws studio/…, request/invalid,
   * service/…, payment/…, model/unknown, privacy/path. What comes from a conversation that is kept private (`from`, or a picture of
   * it) needs a consent for `studio`, of exactly its words and its picture. Throws privacy/consent-….
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
  /** Pays what is `ready` from the wallet. Answers as purchases.pay does, and `watch` goes on. Throws studio/invalid-state, payment/…, wallet/…, confirm/…. */
  pay: call.input(one).output(jobSchema),
  /**
   * Of an embedding or a batch under way: no further part leaves, and those that have left are waited for; it is then `paused`, and
   * goes on by `resume`. Throws studio/invalid-state.
   */
  pause: call.input(one).output(jobSchema),
  /** Gives up what was neither sent nor paid; of one that is sent in parts, sends no further part. Throws studio/invalid-state. */
  stop: call.input(one).output(jobSchema),
  /**
   * A new job of the same request, that is paid anew. `most` as of start; a batch has it as its cap, and else the former one's.
   * Throws as start does; studio/invalid-state while the first is under way, or paid and not delivered.
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
   * Goes on where it ended: what was paid is delivered, what was made is fetched, and neither is paid again. Of one that is sent in
   * parts, those that are not done are sent, and cost. Of a batch, rows that failed or whose end is unknown are sent again only
   * where `rows` says so, and each is then paid anew; `most` is its cap from now on. Throws studio/invalid-state.
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
  /** Of one whose end is unknown: records of the service's history of the same model and time. Throws studio/invalid-state, service/…. */
  compare: call.input(one).output(
    z.object({
      matches: z.array(jobMatchSchema),
      /** All records of that time were read. */ whole: z.boolean(),
    }),
  ),
  /** The newest first. `text`: every word stands in its title, prompt, model or file names. `next` is absent at the end. */
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
  /** Hides those that have ended, and deletes them with their files when it can no longer be taken back. Those that go on stay. */
  remove: call.input(several).output(z.object({ removed: z.array(z.string()), undoMs: z.number() })),
  /** Takes a removal back: those that were still there. */
  restore: call.input(several).output(z.array(jobSchema)),
  /** What is kept here, by kind. */
  usage: call.output(
    z.array(z.object({ kind: z.enum(jobKinds), jobs: z.int(), files: z.int(), bytes: z.int() })),
  ),
  /** A path for one ZIP file of a folder for each job, with a manifest of what was asked, what it cost and its receipt. Throws studio/unknown; request/invalid above 4 GB. */
  export: call.input(several).output(path.extend({ name: z.string() })),
  /** What a recording says, by the answer that is kept. Throws studio/unknown, studio/invalid-state. */
  transcript: call.input(one).output(transcriptSchema),
  /** Keeps what its owner made of a transcript; empty takes it away. Throws studio/unknown. */
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
  /** Rows of a batch from this one on, in their order; in these states alone, where they are said. Throws studio/unknown. */
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
