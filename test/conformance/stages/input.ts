import { z } from 'zod'
import { decodeBase64 } from '../../../src/verifier/base64.ts'
import type { JsonValue } from '../../../src/verifier/strict-json.ts'
import { MalformedInput } from '../contract.ts'

/** The contract's version of every input. */
export const version1 = z.literal('1')

/** Standard base64, decoded. */
export const base64 = z.string().transform((text, context) => {
  const bytes = decodeBase64(text)
  if (bytes) return bytes
  context.addIssue('not base64')
  return z.NEVER
})

/** Hex of either case, decoded. */
export const hex = z
  .string()
  .regex(/^(?:[0-9a-f]{2})*$/i)
  .transform((text) => Buffer.from(text, 'hex'))

/** Throws MalformedInput. */
export function readInput<T>(form: z.ZodType<T>, input: JsonValue): T {
  const read = form.safeParse(input)
  if (read.success) return read.data
  const [issue] = read.error.issues
  throw new MalformedInput(`${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'malformed'}`)
}
