import type { Verdict } from '../../shared/verdict.ts'

export type VerdictState = 'verified' | 'refused' | 'ended' | 'none'

/** The state of a verdict at a moment. A good verdict expires; after that it proves nothing about the present. */
export function verdictState(verdict: Verdict | null | undefined, now: number): VerdictState {
  if (!verdict) return 'none'
  if (!verdict.good) return 'refused'
  return now < verdict.validUntil ? 'verified' : 'ended'
}

/** Whether the policy of the verdict had a firmware floor that the person lowered to the provider's. */
export function hasAcceptedFloor(verdict: Verdict | null | undefined): boolean {
  return verdict?.notices?.some(({ code }) => code === 'policy/provider-floor-accepted') === true
}
