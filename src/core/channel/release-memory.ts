import { attestationCodes } from '../../shared/attestation-codes.ts'
import type { Verdict, VerdictStep } from '../../shared/verdict.ts'

/** What is remembered of the enclave's releases. The store fills it. */
export interface ReleaseMemory {
  /** The newest release accepted for this enclave host; times in Unix ms. */
  newest(enclaveHost: string): { readonly tag: string; readonly digest: string; readonly logTime: number } | null
  /** Whether the user consented to this older release. */
  olderAccepted(enclaveHost: string, digest: string): boolean
  record(verdict: Verdict): void
}

/**
 * The last step of a verdict, and the only one with a memory: genuine evidence of an old release is a rollback.
 * The untrusted service chooses which release it shows (attestation, pitfall 4).
 */
export function judgeRelease(verdict: Verdict, releases: ReleaseMemory): Verdict {
  const { release, enclaveHost } = verdict
  const step = { id: 'release/not-older', title: 'The release is not older than one accepted before', required: true }
  if (!verdict.good || !release) {
    return { ...verdict, steps: [...verdict.steps, { ...step, outcome: 'not-reached', expected: '', observed: '' }] }
  }
  const newest = releases.newest(enclaveHost)
  const older = newest !== null && newest.digest !== release.digest && (release.loggedAt ?? 0) < newest.logTime
  const consented = older && releases.olderAccepted(enclaveHost, release.digest)
  const judged: VerdictStep = {
    ...step,
    outcome: older && !consented ? 'failed' : 'passed',
    expected: newest ? `${newest.tag}, or newer` : 'any: this is the first one accepted here',
    observed: consented ? `${release.tag}, older, with your consent` : release.tag,
    ...(older && !consented && { code: 'release/older' as const }),
  }
  const failed = judged.outcome === 'failed'
  return {
    ...verdict,
    good: !failed,
    steps: [...verdict.steps, judged],
    ...(failed && { failure: { step: step.id, code: 'release/older', says: attestationCodes['release/older'] } }),
  }
}
