import { saidSchema } from '../shared/said-schema.ts'
import { inEnglish } from '../shared/say.ts'

/** A value as one line for a program. What the core says stands in it as English text. */
export function jsonLine(value: unknown): string {
  return JSON.stringify(value, (name, held: unknown) => {
    const said = name === 'detail' ? saidSchema.safeParse(held) : undefined
    return said?.success ? inEnglish(said.data) : held
  })
}
