import { z } from 'zod'
import { unusable } from './at-studio.ts'

const objectSchema = z.record(z.string(), z.json())

/** A JSON object that was typed, as JSON. Throws request/invalid. */
export function jsonObject(value: unknown): z.infer<typeof objectSchema> {
  const parsed = objectSchema.safeParse(value)
  if (!parsed.success) throw unusable('What goes with it is no JSON object.')
  return parsed.data
}

/** As a member of what is asked; nothing where none was typed. */
export function asExtra(extra: Record<string, unknown> | undefined): { extra?: z.infer<typeof objectSchema> } {
  return extra === undefined ? {} : { extra: jsonObject(extra) }
}
