import { z } from 'zod'
import { localizedTextSchema } from '../localized-text-schema.ts'
import { call, idSchema } from './call.ts'

export const confirmationsContract = {
  /** The question that waits for a code of this caller's, or null. Never carries the code. */
  pending: call.output(z.object({ id: idSchema, says: localizedTextSchema }).nullable()),
  /**
   * Enters the code that the terminal shows, in any case, with or without its hyphen. After a wrong one `retryAfterSeconds` says from
   * when on codes are compared again. Throws confirm/too-soon before that; its failure carries the remaining seconds.
   */
  answer: call
    .input(z.object({ id: idSchema, code: z.string().min(1).max(32) }))
    .output(z.object({ accepted: z.boolean(), retryAfterSeconds: z.int().min(1).exactOptional() })),
}
