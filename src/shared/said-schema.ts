import { z } from 'zod'
import { say, type Said, type Sentence, type Value } from './say.ts'

/** No sentence of the core comes near these; a damaged record might. */
const MAX_ENGLISH = 1000
const MAX_TEXT = 8000
const MAX_SENTENCES = 60

const valueSchema: z.ZodType<Value, Value> = z.lazy(() =>
  z.union([
    z.string().max(MAX_TEXT),
    z.number(),
    z.strictObject({ usd: z.string().regex(/^-?\d{1,40}$/), round: z.literal('down').exactOptional() }),
    z.strictObject({ msat: z.string().regex(/^\d{1,24}$/) }),
    saidSchema,
  ]),
)

const sentenceSchema: z.ZodType<Sentence, Sentence> = z.strictObject({
  english: z.string().max(MAX_ENGLISH),
  values: z.record(z.string().max(40), valueSchema).exactOptional(),
})

/** What the core says, as it crosses to the window. */
export const saidSchema: z.ZodType<Said, Said> = z.array(sentenceSchema).max(MAX_SENTENCES).readonly()

/** The same as it is kept beside a failure. An older record has it as English text, which stays as it was written. */
export const keptSaidSchema = z.codec(z.union([saidSchema, z.string().max(MAX_TEXT)]), saidSchema, {
  decode: (kept) => (typeof kept === 'string' ? say('{words}', { words: kept }) : kept),
  encode: (said) => said,
})
