import { z } from 'zod'
import { picoUsdSchema } from './receipt.ts'

/** What one of something costs (pico-USD in decimal text), or what that depends on. */
export type PriceTable =
  | string
  | {
      /** The request's parameter that chooses; absent where the listing does not say which one its values belong to. */
      readonly by?: 'quality' | 'size' | 'resolution' | 'duration' | undefined
      /** By the parameter's value, as it is listed: a request says it in the same letters. */
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

/** What an image or a video of a model costs, as listed. */
export const mediaPriceSchema = z.object({
  /** Where the request says nothing, and where there are no tables. */
  base: picoUsdSchema.optional(),
  /** For each second of a video. */
  perSecond: picoUsdSchema.optional(),
  tables: z.array(priceTableSchema),
})
export type MediaPrice = z.infer<typeof mediaPriceSchema>
