import { eventIterator } from '@orpc/contract'
import { z } from 'zod'
import { purchaseSchema } from '../purchase.ts'
import { picoUsdSchema } from '../receipt.ts'
import { call, idSchema } from './call.ts'

const one = z.object({ purchaseId: idSchema })
const body = z.record(z.string().max(100), z.json())

/**
 * The requests that can be paid per request. The body is the service's own JSON (specification, Images,
 * Videos, Data enrichment).
 */
export const purchaseAskSchema = z.discriminatedUnion('endpoint', [
  z.object({ endpoint: z.enum(['images/generations', 'videos']), body }),
  z.object({
    endpoint: z.literal('images/edits'),
    fields: z.record(z.string().max(100), z.string().max(32_000)),
    image: z.instanceof(Blob),
  }),
  z.object({
    endpoint: z.literal('data'),
    method: z.enum(['GET', 'POST']),
    path: z.string().max(300),
    input: body,
  }),
])
export type PurchaseAsk = z.infer<typeof purchaseAskSchema>

/** A data endpoint as the service lists it: its words are untrusted. */
const dataEndpointSchema = z.object({
  method: z.enum(['GET', 'POST']),
  /** Below `/v1/data`. */
  path: z.string(),
  name: z.string().exactOptional(),
  description: z.string().exactOptional(),
  group: z.string().exactOptional(),
  /** For one call; absent if no price is listed. */
  price: picoUsdSchema.exactOptional(),
})
export type DataEndpoint = z.infer<typeof dataEndpointSchema>

export const purchasesContract = {
  /** The data that the service sells, by its listing of now. Throws service/…. */
  dataEndpoints: call.output(z.array(dataEndpointSchema)),
  /**
   * Requests a quote from the service, and pays nothing. Throws payment/… if Sotto refuses the payment
   * demand, service/….
   */
  quote: call.input(z.object({ ask: purchaseAskSchema })).output(purchaseSchema),
  /**
   * Pays from the connected wallet and requests the delivery. Responds when that is complete, or after the
   * longest time that a person waits: the state shows which, and `watch` continues. Throws wallet/…,
   * payment/…, confirm/….
   */
  pay: call.input(one).output(purchaseSchema),
  /** Paid by another wallet: the preimage that it shows. Throws payment/invalid-preimage. */
  prove: call
    .input(
      one.extend({
        preimage: z
          .string()
          .trim()
          .toLowerCase()
          .regex(/^[0-9a-f]{64}$/),
      }),
    )
    .output(purchaseSchema),
  /** Discards an unpaid purchase. Throws payment/in-progress. */
  decline: call.input(one).output(purchaseSchema),
  /** Sends a paid request once more, with the same proof and never another payment. */
  retryDelivery: call.input(one).output(purchaseSchema),
  /**
   * Abandons a request that was paid and not delivered, after a confirmation outside the window: it's never
   * sent again, and its content is deleted. The proof remains. Throws payment/cannot-close, confirm/….
   */
  abandon: call.input(one).output(purchaseSchema),
  /**
   * The proof of payment for a claim: invoice, hash, preimage, times; after a confirmation outside the
   * window.
   */
  proof: call.input(one).output(z.object({ fileName: z.string(), text: z.string() })),
  /** The service's response as JSON text. Throws payment/nothing-delivered. */
  answer: call.input(one).output(z.object({ text: z.string() })),
  file: call.input(one.extend({ index: z.int().min(0) })).output(z.instanceof(Blob)),
  /** The newest first. */
  list: call.output(z.array(purchaseSchema)),
  /** First all, then each that changed. */
  watch: call.output(eventIterator(z.array(purchaseSchema))),
}
