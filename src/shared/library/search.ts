import { z } from 'zod'
import { conversationSchema, messageSchema } from '../conversation.ts'

/** A part of a text. Marks are from and to (not included), in code units, in order and apart. */
const excerptSchema = z.object({
  text: z.string(),
  marks: z.array(z.tuple([z.int().min(0), z.int().min(0)]).readonly()).readonly(),
})
export type Excerpt = z.infer<typeof excerptSchema>

const foundSchema = z.object({
  conversation: conversationSchema,
  title: excerptSchema,
  /** Excerpts of messages, the best first; none if only the title matches. */
  excerpts: z.array(
    z.object({ messageId: z.string(), role: messageSchema.shape.role, excerpt: excerptSchema }),
  ),
})
export type Found = z.infer<typeof foundSchema>

export const searchAnswerSchema = z.object({
  found: z.array(foundSchema),
  /** There are more than were asked for. */
  more: z.boolean(),
  /** The number of indexed conversations while indexing is in progress: the others can't be found yet. */
  reading: z.object({ read: z.int().min(0), of: z.int().min(0) }).nullable(),
})
export type SearchAnswer = z.infer<typeof searchAnswerSchema>
