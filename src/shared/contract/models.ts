import { z } from 'zod'
import { modelSchema } from '../model.ts'
import { call } from './call.ts'

export const modelsContract = { list: call.output(z.array(modelSchema)) }
