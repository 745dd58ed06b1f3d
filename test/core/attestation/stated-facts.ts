import type { Verdict } from '../../../src/shared/verdict.ts'

/**
 * What a verdict states as proven. Not in it: the digest of the bytes as received, how long the verdict lasts (a claim can shorten
 * that), and what the steps that judge a claim observed.
 */
export function statedFacts({ evidenceDigest: _digest, validUntil: _until, steps, ...facts }: Verdict): object {
  return { ...facts, steps: steps.map(({ observed, ...step }) => ({ ...step, ...(!step.claim && { observed }), ...(step.claim && { expected: '' }) })) }
}

/** The text with one byte changed. */
export function withByte(bytes: Uint8Array, at: number, value: number): Buffer {
  const changed = Buffer.from(bytes)
  changed[at] = value
  return changed
}
