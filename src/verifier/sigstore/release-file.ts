import type { AttestationCode } from '../codes.ts'
import type { WorkflowPolicy } from '../policy.ts'
import type { VerdictStep } from '../contract.ts'
import { authenticateStatement } from './authenticate-statement.ts'
import { attempt } from './refusal.ts'
import { fileSteps } from './steps.ts'
import type { SigstoreInput } from './types.ts'
import { requireWorkflow } from './workflow-identity.ts'

export interface ReleaseFileInput extends Omit<SigstoreInput, 'policy'> {
  readonly policy: WorkflowPolicy
}

/** What an authenticated attestation of build provenance says of a file. */
export interface FileProvenance {
  readonly repository: string
  /** What follows `refs/tags/`. */
  readonly tag: string
  readonly commit: string
  /** Unix ms. */
  readonly logTime: number
}

export type ReleaseFileResult =
  | { readonly good: true; readonly steps: VerdictStep[]; readonly provenance: FileProvenance }
  | {
      readonly good: false
      readonly steps: VerdictStep[]
      readonly failure: { readonly step: string; readonly code: AttestationCode }
    }

/**
 * Judges whether a file of this digest was built by the one workflow that makes releases. What the predicate says is not read: it is
 * that workflow's own word, and everything relied on stands in its certificate.
 * It never throws: whatever is wrong with the input is a step that failed, by a `sigstore/…` code.
 */
export function verifyReleaseFile(input: ReleaseFileInput): ReleaseFileResult {
  const observed = new Map<string, string>()
  const tried = attempt(() => ({ provenance: establish(input, observed) }))
  const result = fileSteps(input.policy.workflow).verify({ input, observed, ...tried })
  const steps = [...result.steps]
  if (!result.good) return { good: false, steps, failure: result.failure }
  // A refusal without a step that names the reason can't be good either.
  if (!('provenance' in tried))
    return { good: false, steps, failure: { step: 'sigstore/bundle', code: tried.refusal.code } }
  return { good: true, steps, provenance: tried.provenance }
}

function establish(input: ReleaseFileInput, observed: Map<string, string>): FileProvenance {
  // One attestation covers all files of a release.
  const { certificate, ref, commit, logTime } = authenticateStatement(
    input,
    (step, found) => observed.set(step, found),
    'any-subject',
  )
  observed.set('sigstore/workflow', requireWorkflow(certificate, ref, input.policy))
  return {
    repository: input.policy.repository,
    tag: ref.replace(/^refs\/tags\//, ''),
    commit,
    logTime,
  }
}
