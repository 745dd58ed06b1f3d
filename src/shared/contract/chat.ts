import { eventIterator } from '@orpc/contract'
import { z } from 'zod'
import { conversationSchema, messageSchema } from '../conversation.ts'
import { receiptSchema } from '../receipt.ts'
import { call, idSchema } from './call.ts'
import { failureSchema } from './failure.ts'

export const chatEventSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('started'), conversation: conversationSchema, userMessage: messageSchema, answer: messageSchema }),
  /** What is being waited for. */
  z.object({ type: z.literal('stage'), stage: z.enum(['proving', 'sealing', 'sending', 'waiting']) }),
  z.object({ type: z.literal('delta'), text: z.string().optional(), reasoning: z.string().optional() }),
  /** The answer as stored, with its privacy and receipt; `failure` where it did not complete. */
  z.object({ type: z.literal('ended'), answer: messageSchema, receipt: receiptSchema.optional(), failure: failureSchema.optional() }),
])
export type ChatEvent = z.infer<typeof chatEventSchema>

export const chatContract = {
  send: call
    .input(z.object({ conversationId: idSchema.optional(), model: z.string().min(1).max(200), text: z.string().min(1).max(4_000_000) }))
    .output(eventIterator(chatEventSchema)),
}
