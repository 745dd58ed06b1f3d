import { z } from 'zod'
import { conversationSchema, messageSchema, parametersSchema, systemPromptSchema } from '../conversation.ts'
import { displayName } from '../display-name.ts'
import { call, idSchema } from './call.ts'

const wholeSchema = z.object({ conversation: conversationSchema, messages: z.array(messageSchema) })

/** A conversation, or one of its messages with all that follows it. */
const removalSchema = z.object({ conversationId: idSchema, messageId: idSchema.optional() })
export type Removal = z.infer<typeof removalSchema>

export const conversationsContract = {
  list: call.output(z.array(conversationSchema)),
  /** With the messages of every branch, in the order in which they were written. */
  get: call.input(z.object({ conversationId: idSchema })).output(wholeSchema),
  rename: call
    .input(z.object({ conversationId: idSchema, title: displayName(200) }))
    .output(conversationSchema),
  pin: call.input(z.object({ conversationId: idSchema, pinned: z.boolean() })).output(conversationSchema),
  /** Into a folder, or out of all. Throws folder/unknown. */
  move: call
    .input(z.object({ conversationId: idSchema, folderId: idSchema.nullable() }))
    .output(conversationSchema),
  /** Takes the place of what was set before; empty is none. */
  configure: call
    .input(
      z.object({ conversationId: idSchema, systemPrompt: systemPromptSchema, parameters: parametersSchema }),
    )
    .output(conversationSchema),
  /** Shows the branch through this message. */
  show: call.input(z.object({ conversationId: idSchema, messageId: idSchema })).output(conversationSchema),
  /** Another conversation of what led to this message, or of all that is shown; private where this one is. */
  fork: call.input(removalSchema).output(wholeSchema),
  /** Hidden at once, and deleted when it can no longer be taken back. */
  remove: call.input(removalSchema).output(z.object({ removed: z.boolean(), undoMs: z.number() })),
  /** Takes a removal back. */
  restore: call.input(removalSchema).output(wholeSchema),
  /** The window that held them ends. */
  endTemporary: call
    .input(z.object({ conversationIds: z.array(idSchema).max(1000) }))
    .output(z.object({ ended: z.number() })),
}
