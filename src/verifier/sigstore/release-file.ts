import type { AttestationCode } from '../codes.ts'
import type { WorkflowPolicy } from '../policy.ts'
import { msg } from '../message.ts'
import type { VerdictStep } from '../contract.ts'
import { authenticateStatement } from './authenticate-statement.ts'
import { SigstoreRefusal } from './refusal.ts'
import { fileSteps, listSteps } from './steps.ts'
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
  const steps = fileSteps(input.policy.workflow)
  const observed = new Map<string, string>()
  try {
    // One attestation speaks of all files of a release.
    const { certificate, ref, commit, logTime } = authenticateStatement(
      input,
      (step, found) => observed.set(step, found),
      'any-subject',
    )
    observed.set('sigstore/workflow', requireWorkflow(certificate, ref, input.policy))
    const provenance = {
      repository: input.policy.repository,
      tag: ref.replace(/^refs\/tags\//, ''),
      commit,
      logTime,
    }
    return { good: true, steps: listSteps(input, observed, undefined, steps), provenance }
  } catch (error) {
    const refusal =
      error instanceof SigstoreRefusal
        ? error
        : new SigstoreRefusal('sigstore/bundle-malformed', msg('a part that can’t be read'))
    const listed = listSteps(input, observed, refusal, steps)
    return {
      good: false,
      steps: listed,
      failure: {
        step: listed.find(({ outcome }) => outcome === 'failed')?.id ?? 'sigstore/bundle',
        code: refusal.code,
      },
    }
  }
}
