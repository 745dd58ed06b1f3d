import { z } from 'zod'
import { picoUsdSchema } from './receipt.ts'

/** The price of one unit (pico-USD in decimal text), or a table by a parameter. */
export type PriceTable =
  | string
  | {
      /** The request parameter that selects the price; absent if the listing doesn't name it. */
      readonly by?: 'quality' | 'size' | 'resolution' | 'duration' | undefined
      /** By the parameter's value as listed: a request uses the same spelling. */
      readonly of: Readonly<Record<string, PriceTable>>
    }

const priceTableSchema: z.ZodType<PriceTable> = z.union([
  picoUsdSchema,
  z.object({
    by: z.enum(['quality', 'size', 'resolution', 'duration']).optional(),
    of: z.record(
      z.string().max(40),
      z.lazy(() => priceTableSchema),
    ),
  }),
])

/** The listed price of an image or a video of a model. */
export const mediaPriceSchema = z.object({
  /** The price if the request has no matching parameter, or if there are no tables. */
  base: picoUsdSchema.optional(),
  /** For each second of a video. */
  perSecond: picoUsdSchema.optional(),
  tables: z.array(priceTableSchema),
})
export type MediaPrice = z.infer<typeof mediaPriceSchema>
