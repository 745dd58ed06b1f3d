import { z } from 'zod'
import { mediaPriceSchema } from './price-table.ts'
import { picoUsdSchema } from './receipt.ts'

/** A model of the listing; what the listing does not give is absent. */
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
  /** What the listing says that one request costs on average, in pico-USD, and how many one dollar pays for. For reading, never reckoned with. */
  averageCost: picoUsdSchema.optional(),
  promptsPerDollar: z.number().min(0).optional(),
  /** Pico-USD for each request that searches the web, beside its tokens. */
  webSearch: picoUsdSchema.optional(),
  /** Of image and video models. */
  mediaPrice: mediaPriceSchema.optional(),
  inputModalities: z.array(z.string()).optional(),
  outputModalities: z.array(z.string()).optional(),
  /** Members of a chat request, such as `reasoning_effort`, that the listing says it takes. */
  supportedParameters: z.array(z.string()).optional(),
})
export type Model = z.infer<typeof modelSchema>

export const MAX_FAVOURITE_MODELS = 500
