import type { Verdict } from '../../src/shared/verdict.ts'

/**
 * The verified facts of a verdict. It omits the digest of the received bytes and the end of the verdict, which a
 * claim can shorten. It also omits the values observed by steps that verify a claim.
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
 * The same facts, except optional steps that the changed evidence no longer allows. Anyone who forwards a
 * revocation list can omit it, and the verdict then shows the step as not checked.
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
