import { z } from 'zod'
import { sandboxFaults, type SandboxFault } from '../sandbox-faults.ts'
import { call } from './call.ts'

const faultSchema = z.string().refine((name): name is SandboxFault => Object.hasOwn(sandboxFaults, name))

export const sandboxContract = {
  faults: call.output(z.array(faultSchema)),
  setFault: call.input(z.object({ fault: faultSchema, on: z.boolean() })).output(z.array(faultSchema)),
}
