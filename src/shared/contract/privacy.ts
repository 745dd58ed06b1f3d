import { z } from 'zod'
import { verdictSchema } from '../verdict.ts'
import { call } from './call.ts'

export const privacyContract = {
  /** The verdict in force or the last one made; null before the first. */
  current: call.output(verdictSchema.nullable()),
  /** Fetches evidence and judges it now. A refused verdict is a value here, and never an error. */
  verify: call.output(verdictSchema),
  /** Consent to an enclave that runs an older release than the newest accepted. Asks for confirmation outside the window. */
  acceptOlderRelease: call.input(z.object({ digest: z.string().max(128) })).output(verdictSchema),
}
