import { z } from 'zod'
import { logLevels } from './log-events.ts'

/** A line of the log: closed values alone, so that there is nothing in it to be blacked out. */
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
