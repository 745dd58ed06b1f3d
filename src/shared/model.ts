import { z } from 'zod'
import { mediaPriceSchema } from './price-table.ts'
import { picoUsdSchema } from './receipt.ts'

/** A model of the listing; members that the listing doesn't provide are absent. */
export const modelSchema = z.object({
  /** Byte-exact as listed. */
  id: z.string().min(1).max(200),
  name: z.string(),
  description: z.string().optional(),
  provider: z.string().optional(),
  type: z.string().optional(),
  /** The prefix `private/`: runs in an enclave. */
  private: z.boolean(),
  contextLength: z.int().positive().optional(),
  /** The most tokens of one answer. */
  maxOutput: z.int().positive().optional(),
  addedAt: z.number().optional(),
  /** Pico-USD for one million tokens. */
  inputPerMillion: picoUsdSchema.optional(),
  outputPerMillion: picoUsdSchema.optional(),
  /**
   * The average cost of one request according to the listing, in pico-USD, and the number of requests for
   * one dollar. Only for display, never for calculations.
   */
  averageCost: picoUsdSchema.optional(),
  promptsPerDollar: z.number().min(0).optional(),
  /** Pico-USD for each request with a web search, in addition to its tokens. */
  webSearch: picoUsdSchema.optional(),
  /** For image and video models. */
  mediaPrice: mediaPriceSchema.optional(),
  inputModalities: z.array(z.string()).optional(),
  outputModalities: z.array(z.string()).optional(),
  /** Members of a chat request, such as `reasoning_effort`, that the listing declares as supported. */
  supportedParameters: z.array(z.string()).optional(),
})
export type Model = z.infer<typeof modelSchema>

export const MAX_FAVOURITE_MODELS = 500
