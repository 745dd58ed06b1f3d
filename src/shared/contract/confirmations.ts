import { z } from 'zod'
import { localizedTextSchema } from '../localized-text-schema.ts'
import { call, idSchema } from './call.ts'

export const confirmationsContract = {
  /** The question that waits for a code of this caller's, or null. Never carries the code. */
  pending: call.output(z.object({ id: idSchema, says: localizedTextSchema }).nullable()),
  /**
   * Enters the code from the terminal, in any case, with or without the hyphen. After a wrong code,
   * `retryAfterSeconds` is the time until codes are compared again. Throws confirm/too-soon before that,
   * with the remaining seconds.
   */
  answer: call
    .input(z.object({ id: idSchema, code: z.string().min(1).max(32) }))
    .output(z.object({ accepted: z.boolean(), retryAfterSeconds: z.int().min(1).exactOptional() })),
}
