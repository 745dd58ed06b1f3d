import { z } from 'zod'
import { saidSchema } from '../said-schema.ts'
import { call, idSchema } from './call.ts'

export const confirmationsContract = {
  /** The question that waits for an answer outside the window, or null. Never carries the code. */
  pending: call.output(z.object({ id: idSchema, says: saidSchema }).nullable()),
  answer: call.input(z.object({ id: idSchema, code: z.string().min(1).max(16) })).output(z.object({ accepted: z.boolean() })),
}
