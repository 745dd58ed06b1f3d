import { z } from 'zod'
import { failureSchema } from './contract/failure.ts'
import { csvDelimiters } from './job-ask.ts'
import { msatSchema } from './lightning.ts'
import { picoUsdSchema } from './receipt.ts'

/**
 * The state of a row of a batch. `ready`: not sent; `sending`: recorded before it's sent, or paid per
 * request and in progress; `done`: its response is stored; `failed`: refused here or by the service;
 * `unknown`: it was in progress when the connection or this process ended.
 */
export const rowStates = ['ready', 'sending', 'done', 'failed', 'unknown'] as const
export const rowStateSchema = z.enum(rowStates)
export type RowState = z.infer<typeof rowStateSchema>

/** A row of a batch, with what came of it. */
export const batchRowSchema = z.object({
  /** From 0, without the header row. */
  index: z.int().min(0),
  state: rowStateSchema,
  /** As in the file, in the order of its columns. */
  cells: z.array(z.string()),
  /** JSON text of the response; only the beginning of a long one. */
  answer: z.string().exactOptional(),
  /** The length of the whole response. */
  answerBytes: z.int().min(0).exactOptional(),
  cost: picoUsdSchema.exactOptional(),
  /** The amount with the fee, if it was paid per request. */
  paidMsat: msatSchema.exactOptional(),
  purchaseId: z.string().exactOptional(),
  receiptId: z.string().exactOptional(),
  /** Unix ms. */
  sentAt: z.number().exactOptional(),
  failure: failureSchema.exactOptional(),
})
export type BatchRow = z.infer<typeof batchRowSchema>

export const MAX_ROWS_AT_ONCE = 500
export const batchRowsSchema = z.object({
  columns: z.array(z.string()),
  /** The number of all rows that match the query. */
  total: z.int().min(0),
  rows: z.array(batchRowSchema),
})
export type BatchRows = z.infer<typeof batchRowsSchema>

/** A CSV file as it would be read. */
export const csvTableSchema = z.object({
  /** `Column 1` and so on, if there is no header row. */
  columns: z.array(z.string()),
  rows: z.int().min(0),
  /** The first rows. */
  sample: z.array(z.array(z.string())),
  delimiter: z.enum(csvDelimiters),
  encoding: z.enum(['utf-8', 'utf-16le', 'utf-16be']),
})
export type CsvTable = z.infer<typeof csvTableSchema>

/** Texts of an embedding with their vectors, in their order. */
export const vectorPageSchema = z.object({
  /** Vectors that are there; fewer than there are texts, until all are done. */
  total: z.int().min(0),
  dimensions: z.int().min(0),
  /** A file's name, or the beginning of the text. */
  labels: z.array(z.string()),
  /** base64 of little-endian float32, one vector after another. */
  vectors: z.string(),
})
export type VectorPage = z.infer<typeof vectorPageSchema>

export { batchExportForms, embeddingExportForms } from './job-export-forms.ts'
