import { z } from 'zod'
import { picoUsdSchema } from '../receipt.ts'
import { call, idSchema } from './call.ts'

/** Documents that the enclave converts to Markdown, for a fee. */
export const documentsContract = {
  /**
   * Seals a document to the verified enclave and returns its text as Markdown. A document is converted once for each account while Sotto runs;
   * after that it costs nothing. Throws document/…, policy/missing, attestation/…, channel/…, service/…, request/canceled.
   */
  convert: call
    .input(
      z.object({
        /** Chosen by the caller, for `stop`. */
        id: idSchema,
        /** Its ending decides the format: PDF, DOCX, PPTX, XLSX or HTML. Folders are removed. */
        name: z.string().min(1).max(4_000),
        content: z.instanceof(Blob),
        /** Whether a person accepted the fee for this document. */
        acceptsFee: z.boolean(),
      }),
    )
    .output(
      z.object({
        text: z.string(),
        /** The receipt of the request that converted it, which can be an earlier one. */
        receiptId: z.string(),
        /** The cost of that request, if the service reported it. */
        cost: picoUsdSchema.optional(),
      }),
    ),
  /** Stops a conversion, unless another caller waits for the same document. The service can charge it all the same. */
  stop: call.input(z.object({ id: idSchema })).output(z.void()),
}
