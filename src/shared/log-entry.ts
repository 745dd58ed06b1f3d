import { z } from 'zod'
import { logLevels } from './log-events.ts'

/** A line of the log. It has only closed values, so that it needs no redaction. */
export const logEntrySchema = z.object({
  /** Counts from 1 since the start. */
  seq: z.int().min(1),
  /** Unix ms. */
  at: z.number(),
  level: z.enum(logLevels),
  event: z.string(),
  fields: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])),
})
export type LogEntry = z.infer<typeof logEntrySchema>
