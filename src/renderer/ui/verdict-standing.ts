import type { Verdict } from '../../shared/verdict.ts'

export type Standing = 'verified' | 'refused' | 'ended' | 'none'

/** What a verdict says at a moment: a good one ends, and then says nothing about now. */
export function standingOf(verdict: Verdict | null | undefined, now: number): Standing {
  if (!verdict) return 'none'
  if (!verdict.good) return 'refused'
  return now < verdict.validUntil ? 'verified' : 'ended'
}
