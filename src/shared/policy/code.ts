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
