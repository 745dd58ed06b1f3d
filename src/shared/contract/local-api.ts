import { z } from 'zod'
import { call } from './call.ts'

export const localApiSchema = z.object({ baseUrl: z.string(), key: z.string(), exampleModel: z.string() })

export const localApiContract = { get: call.output(localApiSchema) }
