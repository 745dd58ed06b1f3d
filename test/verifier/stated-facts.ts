import type { Verdict } from '../../src/shared/verdict.ts'

/**
 * The proven facts of a verdict. Left out are the digest of the received bytes, the end of the verdict (a claim can shorten it),
 * and the values observed by steps that judge a claim.
 */
export function statedFacts({
  evidenceDigest: _digest,
  validUntil: _until,
  steps,
  ...facts
}: Verdict): object {
  return {
    ...facts,
    steps: steps.map(({ observed, ...step }) => ({
      ...step,
      ...(!step.claim && { observed }),
      ...(step.claim && { expected: '' }),
    })),
  }
}

/**
 * The same facts, but for optional steps that the changed evidence doesn't allow any more: whoever forwards a revocation list can leave it
 * out, and the verdict then shows the step as not checked.
 */
export function statedFactsExcept(changed: Verdict, original: Verdict): object {
  const steps = changed.steps.map((step, index) =>
    !step.required && step.outcome === 'not-checked' ? (original.steps[index] ?? step) : step,
  )
  return statedFacts({ ...changed, steps })
}

/** The bytes with one of them changed. */
export function withByte(bytes: Uint8Array, at: number, value: number): Buffer {
  const changed = Buffer.from(bytes)
  changed[at] = value
  return changed
}
