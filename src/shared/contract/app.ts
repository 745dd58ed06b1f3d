import { z } from 'zod'
import { statusSchema } from '../status.ts'
import { call, idSchema } from './call.ts'

export const appContract = {
  status: call.output(statusSchema),
  acknowledge: call.input(z.object({ noticeId: idSchema })).output(statusSchema),
  /** A way to start was chosen; the first-start screen does not come back. */
  begin: call.output(statusSchema),
}
