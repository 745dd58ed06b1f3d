import { z } from 'zod'
import { chatRouteSchema, serviceEnclaveViewSchema } from '../chat-route.ts'
import { imageRuleSchema } from '../policy/service-enclave.ts'
import { proofSchema } from '../proof.ts'
import { call, idSchema } from './call.ts'

/** A file of provenance is far smaller. */
const MAX_BASE64 = 1_500_000

const fileSchema = z.base64().min(1).max(MAX_BASE64)

/** The service's own enclave, which passes chat on to the model's provider. Each call throws relay/unavailable if the service has none. */
export const serviceEnclaveContract = {
  /** Null if the service has none. */
  view: call.output(serviceEnclaveViewSchema.nullable()),
  /** Fetches evidence and judges it now. A refused verdict is part of the view, and never an error. */
  verify: call.output(serviceEnclaveViewSchema),
  /** The proof file of the last verdict, good or not, or of an entry of the history. Throws proof/missing. */
  proof: call.input(z.object({ enclaveId: idSchema.optional() })).output(proofSchema),
  /** Letting the service read more is confirmed outside the window. */
  setRoute: call.input(z.object({ route: chatRouteSchema })).output(serviceEnclaveViewSchema),
  /** Choosing a weaker rule is confirmed outside the window. */
  setRule: call.input(z.object({ rule: imageRuleSchema })).output(serviceEnclaveViewSchema),
  /** Approves the image that runs now, confirmed outside the window, and verifies again. Throws relay/no-image-waiting for another image. */
  approveImage: call.input(z.object({ pcr0: z.string().max(96) })).output(serviceEnclaveViewSchema),
  /** Stops accepting an image that was approved or proven, under both rules. Nothing happens if it isn't accepted. */
  removeImage: call.input(z.object({ pcr0: z.string().max(96) })).output(serviceEnclaveViewSchema),
  /**
   * Verifies the provenance of an image, and accepts it. `file` is PCR.json as the workflow attested it,
   * `bundle` its Sigstore bundle, both in base64. Throws relay/provenance-refused.
   */
  proveImage: call.input(z.object({ file: fileSchema, bundle: fileSchema })).output(serviceEnclaveViewSchema),
}
