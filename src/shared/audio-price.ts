import { z } from 'zod'
import { picoUsdSchema } from './receipt.ts'

/** The listed price of an audio model. */
export const audioPriceSchema = z.object({
  /** Pico-USD. */
  amount: picoUsdSchema,
  /** If the listing has no unit: a thousand characters of speech, or a minute of transcription. */
  per: z.enum(['character', 'thousand-characters', 'second', 'minute']).optional(),
})
export type AudioPrice = z.infer<typeof audioPriceSchema>

const CHARACTERS: Readonly<Partial<Record<NonNullable<AudioPrice['per']>, bigint>>> = {
  character: 1n,
  'thousand-characters': 1000n,
}

/**
 * The price of speech in one unit for every model.
 *
 * @returns pico-USD in decimal text; undefined if speech is not priced by its text, or if the price is unknown
 */
export function pricePerMillionCharacters({
  amount,
  per = 'thousand-characters',
}: AudioPrice): string | undefined {
  const characters = CHARACTERS[per]
  return characters === undefined || amount.startsWith('-')
    ? undefined
    : ((BigInt(amount) * 1_000_000n) / characters).toString()
}
