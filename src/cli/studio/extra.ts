import { z } from 'zod'
import { unusable } from './at-studio.ts'

const objectSchema = z.record(z.string(), z.json())

/** Checks that a value is a JSON object. Throws request/invalid. */
export function jsonObject(value: unknown): z.infer<typeof objectSchema> {
  const parsed = objectSchema.safeParse(value)
  if (!parsed.success)
    throw unusable('The parameters are not a JSON object.', 'Use an object such as {"style":"ink"}.')
  return parsed.data
}

/** The member of the request for extra parameters, if there are any. */
export function asExtra(extra: Record<string, unknown> | undefined): {
  extra?: z.infer<typeof objectSchema>
} {
  return extra === undefined ? {} : { extra: jsonObject(extra) }
}
