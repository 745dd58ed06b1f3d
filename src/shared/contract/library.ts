import { z } from 'zod'
import { MAX_QUESTION, searchAnswerSchema } from '../library/search.ts'
import { call } from './call.ts'

export const libraryContract = {
  /** Conversations in whose title or messages every word of the question stands, or begins. An empty one begins to make the index. */
  search: call.input(z.object({ question: z.string().max(MAX_QUESTION), limit: z.int().min(1).max(50).default(30) })).output(searchAnswerSchema),
}
