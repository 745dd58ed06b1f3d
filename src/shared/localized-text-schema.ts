import { z } from 'zod'
import { msg, type LocalizedText, type Sentence, type Value } from './localized-text.ts'

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
    localizedTextSchema,
  ]),
)

const sentenceSchema: z.ZodType<Sentence, Sentence> = z.strictObject({
  english: z.string().max(MAX_ENGLISH),
  values: z.record(z.string().max(40), valueSchema).exactOptional(),
})

/** A message of the core as it's passed to the window. */
export const localizedTextSchema: z.ZodType<LocalizedText, LocalizedText> = z
  .array(sentenceSchema)
  .max(MAX_SENTENCES)
  .readonly()

/** The stored form of a message with a failure. Older records have English text, which doesn't change. */
export const storedTextSchema = z.codec(
  z.union([localizedTextSchema, z.string().max(MAX_TEXT)]),
  localizedTextSchema,
  {
    decode: (stored) => (typeof stored === 'string' ? msg('{words}', { words: stored }) : stored),
    encode: (text) => text,
  },
)
