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

/** The content of an authenticated build provenance attestation about a file. */
export interface FileProvenance {
  readonly repository: string
  /** The tag name, without `refs/tags/`. */
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
 * Verifies that the release workflow built the file with this digest. Doesn't read the predicate, because the
 * workflow itself wrote it; all facts that count are in the workflow's certificate.
 *
 * Never throws: any problem with the input fails a step with a `sigstore/…` code.
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
  // A single attestation covers all files of a release.
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
