import { z } from 'zod'
import type { CodePolicy } from './policy/code.ts'

/** Below the repository's root: the one workflow whose releases are accepted. */
export const RELEASE_WORKFLOW = '.github/workflows/release.yml'

/** Whose build a release of Sotto itself must be: as strictly as an enclave's, and of one workflow. */
export interface ReleaseIdentity extends CodePolicy {
  readonly workflow: string
}

/** https://slsa.dev/spec/v1.0/provenance, which GitHub's attestations of build provenance are. */
export const SLSA_PROVENANCE = 'https://slsa.dev/provenance/v1'

const manifestForm = z.object({
  repository: z.object({
    type: z.literal('git'),
    url: z.string().regex(/^git\+https:\/\/github\.com\/[\w-]+\/[\w.-]+\.git$/),
  }),
})

/**
 * The identity by the repository in this version's own package.json; npm requires its provenance to match
 * the same member. Undefined without a repository: then no file can be recognized as a release.
 */
export function releaseIdentityOf(manifest: unknown): ReleaseIdentity | undefined {
  const form = manifestForm.safeParse(manifest)
  if (!form.success) return undefined
  return {
    repository: form.data.repository.url.slice('git+https://github.com/'.length, -'.git'.length),
    workflow: RELEASE_WORKFLOW,
    oidcIssuer: 'https://token.actions.githubusercontent.com',
    refPrefix: 'refs/tags/v',
    runnerEnvironment: 'github-hosted',
    predicateTypes: [SLSA_PROVENANCE],
  }
}
