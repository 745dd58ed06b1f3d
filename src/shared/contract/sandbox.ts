import { z } from 'zod'
import { sandboxFaultSchema, sandboxPlatformSchema } from '../sandbox-faults.ts'
import { call } from './call.ts'

export const sandboxContract = {
  faults: call.output(z.array(sandboxFaultSchema)),
  setFault: call.input(z.object({ fault: sandboxFaultSchema, on: z.boolean() })).output(z.array(sandboxFaultSchema)),
  /** What its enclave stands on. */
  platform: call.output(sandboxPlatformSchema),
  setPlatform: call.input(z.object({ platform: sandboxPlatformSchema })).output(sandboxPlatformSchema),
}
