import { z } from 'zod'
import { statusSchema } from '../status.ts'
import { call, idSchema } from './call.ts'

export const appContract = {
  status: call.output(statusSchema),
  acknowledge: call.input(z.object({ noticeId: idSchema })).output(statusSchema),
  /** A way to start was chosen; the first-start screen does not come back. */
  begin: call.output(statusSchema),
  /** Accepts records that were changed outside Sotto as they are now (docs/decisions/0018). Confirmed outside the window. */
  acceptRecords: call.output(statusSchema),
}
