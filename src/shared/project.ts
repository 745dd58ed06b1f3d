import { z } from 'zod'
import { parametersSchema, systemPromptSchema } from './conversation.ts'
import { displayName } from './display-name.ts'
import { budgetPeriods, limitAmountSchema } from './key-limits.ts'

/** The limit for projects. */
export const MOST_PROJECTS = 200

export const projectSchema = z.object({
  id: z.string(),
  name: displayName(200),
  /** Sent before the instructions of each conversation. Empty: none. */
  instructions: systemPromptSchema,
  /** For new conversations. Absent: the one that was used last. */
  model: z.string().min(1).max(200).optional(),
  /** For new conversations. */
  parameters: parametersSchema.optional(),
  /** What its chats may cost in each period, in pico-USD. Absent: whatever the account pays for. */
  budget: z.object({ picoUsd: limitAmountSchema, period: z.enum(budgetPeriods) }).optional(),
  /** Nothing of its conversations is sent to a model that isn't private, and no consent changes that. */
  privateOnly: z.boolean(),
  /** Unix ms. */
  createdAt: z.number(),
  /** Unix ms. */
  updatedAt: z.number(),
  /** The record can't be decrypted. It counts as private-only. */
  damaged: z.literal(true).optional(),
})
/** What the chats of a project cost in the current period of its budget; without a budget, in total. Pico-USD. */
export const projectSpendingSchema = z.object({
  spent: limitAmountSchema,
  /** Set aside for requests in progress. */
  reserved: limitAmountSchema,
  /** Unix ms of the period's end. */
  renewsAt: z.number().optional(),
})

/** Conversations with shared instructions and settings. */
export type Project = z.infer<typeof projectSchema>
