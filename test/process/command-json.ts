import { z } from 'zod'

const answerSchema = z.strictObject({
  data: z.unknown(),
  error: z.looseObject({ code: z.string(), says: z.string() }).optional(),
  schema: z.literal(1),
})

/** The data that a command printed with `--json`. Throws if it printed anything else, or an error. */
export function dataOf(stdout: string): unknown {
  const { data, error } = answerSchema.parse(JSON.parse(stdout))
  if (error) throw new Error(`the command failed with ${error.code}`)
  return data
}

/** The data that exists despite an error, with the error: for jobs that may be partly done. */
export function answerOf(stdout: string): object {
  const { data, error } = answerSchema.parse(JSON.parse(stdout))
  return { ...(data ?? {}), ...(error && { error }) }
}

/** The code of the error that a command printed with `--json`. */
export function errorCodeOf(stdout: string): string {
  const { error } = answerSchema.parse(JSON.parse(stdout))
  if (!error) throw new Error('the command printed no error')
  return error.code
}
