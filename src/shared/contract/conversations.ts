import { eventIterator } from '@orpc/contract'
import { z } from 'zod'
import {
  conversationSchema,
  messageSchema,
  parametersSchema,
  systemPromptSchema,
  textDirections,
} from '../conversation.ts'
import { displayName } from '../display-name.ts'
import { call, idSchema } from './call.ts'

const wholeSchema = z.object({ conversation: conversationSchema, messages: z.array(messageSchema) })

/** A conversation, or one of its messages with all that follows it. */
const removalSchema = z.object({ conversationId: idSchema, messageId: idSchema.optional() })
export type Removal = z.infer<typeof removalSchema>

export const conversationsContract = {
  /** The last changed first: all, or those among `conversationIds` that exist, of all projects or one. */
  list: call

    .input(
      z
        .object({
          conversationIds: z.array(idSchema).max(1000).optional(),
          projectId: idSchema.optional(),
        })
        .optional(),
    )
    .output(z.array(conversationSchema)),
  /** The IDs of conversations that any window, tab or command changed or removed. The first event has none. */
  watch: call.output(eventIterator(z.array(idSchema))),
  /** With the messages of every branch, in the order of their creation. */
  get: call.input(z.object({ conversationId: idSchema })).output(wholeSchema),
  rename: call
    .input(z.object({ conversationId: idSchema, title: displayName(200) }))
    .output(conversationSchema),
  pin: call.input(z.object({ conversationId: idSchema, pinned: z.boolean() })).output(conversationSchema),
  /** Into a folder, or out of all. Throws folder/unknown. */
  move: call
    .input(z.object({ conversationId: idSchema, folderId: idSchema.nullable() }))
    .output(conversationSchema),
  /** Replaces the earlier settings; empty removes them. */
  configure: call
    .input(
      z.object({
        conversationId: idSchema,
        systemPrompt: systemPromptSchema,
        parameters: parametersSchema,
        /** `auto`: the direction of each paragraph's first letter. Absent: unchanged. */
        direction: z.enum([...textDirections, 'auto']).optional(),
      }),
    )
    .output(conversationSchema),
  /** Messages up to this one stay in the conversation, and are no longer sent to a model. Null sends all again. */
  trim: call
    .input(z.object({ conversationId: idSchema, messageId: idSchema.nullable() }))
    .output(conversationSchema),
  /** Shows the branch through this message. */
  show: call.input(z.object({ conversationId: idSchema, messageId: idSchema })).output(conversationSchema),
  /**
   * Copies the branch up to this message, or the visible branch, to a new conversation. It's private if
   * this one is.
   */
  fork: call.input(removalSchema).output(wholeSchema),
  /** Hides the conversation at once, and deletes it when the removal can no longer be undone. */
  remove: call.input(removalSchema).output(z.object({ removed: z.boolean(), undoMs: z.number() })),
  /** Takes a removal back. */
  restore: call.input(removalSchema).output(wholeSchema),
  /** The window that shows them is closing. */
  endTemporary: call
    .input(z.object({ conversationIds: z.array(idSchema).max(1000) }))
    .output(z.object({ ended: z.number() })),
}
