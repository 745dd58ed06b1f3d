import { z } from 'zod'
import { statusSchema } from '../status.ts'
import { call } from './call.ts'

export const accountsContract = {
  connect: call.input(z.object({ apiKey: z.string().min(8).max(200), creditId: z.string().min(8).max(200).optional() })).output(statusSchema),
  create: call.output(statusSchema),
  disconnect: call.output(statusSchema),
  balance: call.output(z.object({ picoUsd: z.string() })),
}
