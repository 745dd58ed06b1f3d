import { z } from 'zod'

export const codePolicySchema = z.object({
  /** Whose workflow must have signed, on GitHub: `owner/name`. */
  repository: z.string().regex(/^[\w.-]+\/[\w.-]+$/),
  oidcIssuer: z.url(),
  /** The ref that the workflow ran on must begin so. */
  refPrefix: z.string().min(1),
  runnerEnvironment: z.string().default('github-hosted'),
  predicateTypes: z.array(z.string()).min(1),
})
export type CodePolicy = z.infer<typeof codePolicySchema>

/** Lowercase hex of so many bytes. */
export function hexOf(bytes: number): z.ZodString {
  return z.string().regex(new RegExp(`^[0-9a-f]{${String(bytes * 2)}}$`))
}

/** A signer of GitHub Actions of whom one workflow counts. */
export const workflowPolicySchema = codePolicySchema.extend({
  /** Below the repository's root, for example `.github/workflows/build.yml`. */
  workflow: z.string().regex(/^\.github\/workflows\/[\w-]+\.ya?ml$/),
})

/**
 * How to get and judge the attestation document that is bound to a nonce of ours (document v3).
 * The publisher signs which machines it runs, with the policy of each, and confirms every few days which release is in use.
 */
export const nonceBoundPolicySchema = z.object({
  /** The enclave's own server, because the service relays only v2. */
  origin: z.url({ protocol: /^https?$/ }),
  platformEndorsements: workflowPolicySchema,
  freshnessWitness: workflowPolicySchema,
  /** Evidence without a good document v3 is refused. Otherwise only a bad document refuses it. */
  required: z.boolean().default(false),
})
export type NonceBoundPolicy = z.infer<typeof nonceBoundPolicySchema>
