import { oc } from '@orpc/contract'
import { z } from 'zod'
import { failureSchema } from './failure.ts'

/** The one declared error of every call. */
export const call = oc.errors({ SOTTO: { status: 422, data: failureSchema } })

export const idSchema = z.string().min(1).max(64)

export const modelIdSchema = z.string().min(1).max(200)
export const textSchema = z.string().min(1).max(4_000_000)
