import type { AttestationCode } from '../codes.ts'
import type { Text } from '../text.ts'

/** The result of one rule of the publisher's policy. It is met if there is no code. */
export interface RuleOutcome {
  readonly code?: AttestationCode
  readonly expected: Text
  readonly observed: Text
}

/** The first rule that isn't met. */
export function firstFault(outcomes: Iterable<RuleOutcome>): RuleOutcome | undefined {
  for (const finding of outcomes) if (finding.code) return finding
  return undefined
}

/** Exact equality. */
export function same(code: AttestationCode, name: string, expected: string, observed: string): RuleOutcome {
  return {
    ...(expected !== observed && { code }),
    expected: `${name} ${expected}`,
    observed: `${name} ${observed}`,
  }
}
