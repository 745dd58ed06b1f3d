import { z } from 'zod'
import { receiptSchema } from '../receipt.ts'
import { call, idSchema } from './call.ts'

export const receiptsContract = {
  list: call.input(z.object({ limit: z.int().min(1).max(500).default(100) })).output(z.array(receiptSchema)),
  get: call.input(z.object({ receiptId: idSchema })).output(receiptSchema),
}
