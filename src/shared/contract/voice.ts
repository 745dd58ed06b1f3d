import { z } from 'zod'
import { audioPriceSchema } from '../audio-price.ts'
import { picoUsdSchema, receiptSchema } from '../receipt.ts'
import { call, idSchema, modelIdSchema } from './call.ts'

const audioModelSchema = z.object({ id: z.string(), name: z.string(), price: audioPriceSchema.optional() })

/** The listed models for transcription and speech. If none is chosen, the service chooses. */
const voicePricesSchema = z.object({
  listening: z.array(audioModelSchema),
  speaking: z.array(audioModelSchema),
  voices: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      modelId: z.string().optional(),
      language: z.string().optional(),
      /** The family. */ provider: z.string().optional(),
    }),
  ),
})
export type VoicePrices = z.infer<typeof voicePricesSchema>

const readingSchema = z.object({
  readingId: idSchema,
  /** Code points of each piece, which is one request. */
  pieces: z.array(z.int().min(1)),
  /** For all pieces, in pico-USD. Absent if unknown. */
  estimate: z.object({ least: picoUsdSchema, most: picoUsdSchema }).optional(),
})
export type Reading = z.infer<typeof readingSchema>

/** Voice goes to the service in the open: there is no sealed way for sound. */
export const voiceContract = {
  prices: call.output(voicePricesSchema),
  /**
   * Transcribes a recording. If the conversation is private, or will continue with a private model, this
   * needs a consent for `dictate`. Throws voice/invalid-recording, privacy/consent-….
   */
  transcribe: call
    .input(
      z.object({
        /** Chosen by the caller, to stop the request. */
        id: idSchema,
        /** At most 25 MB. */
        content: z.instanceof(Blob),
        durationMs: z.number().min(0).max(86_400_000).optional(),
        model: modelIdSchema.optional(),
        language: z
          .string()
          .regex(/^[A-Za-z-]{2,10}$/)
          .optional(),
        conversationId: idSchema.optional(),
        /** Of a conversation that hasn't begun. */
        projectId: idSchema.optional(),
        /** The model of the chat, to which the text will be sent. */
        chatModel: modelIdSchema.optional(),
        consentId: idSchema.optional(),
      }),
    )
    .output(z.object({ text: z.string(), receipt: receiptSchema.optional() })),
  /** Splits a text into the parts that are spoken in turn, with their price. Sends nothing. Throws voice/empty-text. */
  prepare: call
    .input(
      z.object({
        text: z.string().min(1).max(1_000_000),
        conversationId: idSchema.optional(),
        model: modelIdSchema.optional(),
        voice: modelIdSchema.optional(),
      }),
    )
    .output(readingSchema),
  /**
   * One piece of it, spoken. The first of a private conversation needs a consent for `read-aloud` of the whole text. Throws
   * voice/reading-ended, privacy/consent-….
   */
  speak: call
    .input(z.object({ readingId: idSchema, piece: z.int().min(0), consentId: idSchema.optional() }))
    .output(z.object({ content: z.instanceof(Blob), receipt: receiptSchema.optional() })),
  /** Stops a transcription, or a reading with its requests in progress. */
  stop: call.input(z.object({ id: idSchema })),
}
