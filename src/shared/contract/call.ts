import { oc } from '@orpc/contract'
import { z } from 'zod'
import { failureSchema } from './failure.ts'

/** The one declared error of every call. */
export const call = oc.errors({ SOTTO: { status: 422, data: failureSchema } })

export const idSchema = z.string().min(1).max(64)
