import { z } from 'zod'
import { parametersSchema, systemPromptSchema } from './conversation.ts'
import { displayName } from './display-name.ts'

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
  /** Nothing of its conversations is sent to a model that isn't private, and no consent changes that. */
  privateOnly: z.boolean(),
  /** Unix ms. */
  createdAt: z.number(),
  /** Unix ms. */
  updatedAt: z.number(),
  /** The record can't be decrypted. It counts as private-only. */
  damaged: z.literal(true).optional(),
})
/** Conversations with shared instructions and settings. */
export type Project = z.infer<typeof projectSchema>
