import { eventIterator } from '@orpc/contract'
import { z } from 'zod'
import { selfTestEventSchema } from '../self-test.ts'
import { freshEvidenceSourceSchema, freshEvidenceViewSchema } from '../fresh-evidence.ts'
import { pinSchema } from '../pin.ts'
import { providerFloorSchema } from '../policy/provider-floor.ts'
import { proofSchema, trustRootSchema } from '../proof.ts'
import { verdictSchema } from '../verdict.ts'
import { verifiedEnclaveSchema } from '../verified-enclave.ts'
import { call, idSchema } from './call.ts'

/** The user's choices for this profile's enclave. */
const privacyChoicesSchema = z.object({
  /** A release that was never accepted here waits for consent. */
  askBeforeNewRelease: z.boolean(),
  /** If any are pinned, nothing else is accepted. */
  pins: z.array(pinSchema),
  /** Null if the policy has no rules for fresh evidence. */
  freshEvidence: freshEvidenceViewSchema.nullable(),
  /** The firmware floors of the provider that are lower than the profile's. Absent if there are none. */
  providerFloors: z
    .object({
      /** They apply instead of the profile's. */
      accepted: z.boolean(),
      floors: z.array(providerFloorSchema),
    })
    .optional(),
})
export type PrivacyChoices = z.infer<typeof privacyChoicesSchema>

const trustViewSchema = z.object({
  name: z.enum(['built-in', 'sandbox']),
  roots: z.array(trustRootSchema),
  /** Unix ms: when Sigstore published its root. Absent for a root that was generated here. */
  sigstorePublished: z.number().optional(),
})
export type TrustView = z.infer<typeof trustViewSchema>

export const privacyContract = {
  /** The verdict in force or the last one; null before the first. */
  current: call.output(verdictSchema.nullable()),
  /** Fetches evidence and judges it now. A refused verdict is a value here, and never an error. */
  verify: call.output(verdictSchema),
  /** The last verdicts on further enclaves, of models that have one of their own. Empty until such a model is used. */
  others: call.output(z.array(verdictSchema)),
  /**
   * Consents to the release that the last verdict refused, because it's older than the newest accepted one
   * or was never accepted here. Requires confirmation outside the window. Throws privacy/no-release-waiting
   * if this release isn't waiting for consent.
   */
  acceptRelease: call.input(z.object({ release: z.string().min(1).max(128) })).output(verdictSchema),
  /** The change log of verified enclaves on this profile's hosts, the last seen first. */
  history: call.output(z.array(verifiedEnclaveSchema)),
  /** The proof file of the last verdict, good or not, or of a line of the change log. Throws proof/missing. */
  proof: call.input(z.object({ enclaveId: idSchema.optional() })).output(proofSchema),
  /** The roots that verdicts are judged by. */
  trust: call.output(trustViewSchema),
  choices: call.output(privacyChoicesSchema),
  /** To stop asking is to loosen, and asks for confirmation outside the window. */
  setAskBeforeNewRelease: call.input(z.object({ on: z.boolean() })).output(privacyChoicesSchema),
  /** Asking for less is confirmed outside the window. Throws policy/missing if the policy has no rules for fresh evidence. */
  setFreshEvidence: call.input(z.object({ from: freshEvidenceSourceSchema })).output(privacyChoicesSchema),
  /** Pins what a line of the change log measured. To add to other pins is to loosen, and asks for confirmation outside the window. */
  pin: call.input(z.object({ enclaveId: idSchema })).output(privacyChoicesSchema),
  /** To take the last pin away is to loosen, and asks for confirmation outside the window. */
  unpin: call.input(z.object({ pin: pinSchema })).output(privacyChoicesSchema),
  /**
   * Accepts the firmware floors of the provider, or restores the profile's. Accepting them loosens the
   * policy, and requires confirmation outside the window. Throws policy/no-provider-floor if the provider
   * has none.
   */
  setProviderFloors: call.input(z.object({ accepted: z.boolean() })).output(privacyChoicesSchema),
  /** Replaces the secrets that keep the prompt caches of the enclave apart. Throws store/unwritable, vault/locked. */
  renewCacheSecret: call.output(z.void()),
  /**
   * Streams the self-test: every fault of a separate sandbox, against this installation's verifier and
   * channel. Leaving the stream stops it. Throws self-test/unavailable if one is running already.
   */
  selfTest: call.output(eventIterator(selfTestEventSchema)),
}
