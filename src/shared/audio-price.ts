import { z } from 'zod'
import { picoUsdSchema } from './receipt.ts'

/** What an audio model costs, as listed. */
export const audioPriceSchema = z.object({
  /** Pico-USD. */
  amount: picoUsdSchema,
  /** Where the listing does not say: a thousand characters of speech, a minute of transcription. */
  per: z.enum(['character', 'thousand-characters', 'second', 'minute']).optional(),
})
export type AudioPrice = z.infer<typeof audioPriceSchema>
