import { z } from 'zod'
import { statusSchema } from '../status.ts'
import { call } from './call.ts'

export const vaultContract = {
  unlock: call.input(z.object({ passphrase: z.string().min(1).max(1024) })).output(statusSchema),
  /** First passphrase of a file vault, once there is something worth keeping. */
  protect: call.input(z.object({ passphrase: z.string().min(8).max(1024) })).output(statusSchema),
}
