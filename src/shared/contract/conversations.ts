import { z } from 'zod'
import { conversationSchema, messageSchema } from '../conversation.ts'
import { call, idSchema } from './call.ts'

export const conversationsContract = {
  list: call.output(z.array(conversationSchema)),
  get: call.input(z.object({ conversationId: idSchema })).output(z.object({ conversation: conversationSchema, messages: z.array(messageSchema) })),
  rename: call.input(z.object({ conversationId: idSchema, title: z.string().min(1).max(200) })).output(conversationSchema),
  remove: call.input(z.object({ conversationId: idSchema })).output(z.object({ removed: z.boolean() })),
}
