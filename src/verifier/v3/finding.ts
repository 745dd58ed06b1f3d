import type { AttestationCode } from '../codes.ts'
import type { Text } from '../text.ts'

/** What one rule found: fulfilled if there is no code. */
export interface Finding {
  readonly code?: AttestationCode
  readonly expected: Text
  readonly observed: Text
}

/** The first rule that isn't fulfilled. */
export function firstFault(findings: Iterable<Finding>): Finding | undefined {
  for (const finding of findings) if (finding.code) return finding
  return undefined
}

/** Exact equality. */
export function same(code: AttestationCode, name: string, expected: string, observed: string): Finding {
  return {
    ...(expected !== observed && { code }),
    expected: `${name} ${expected}`,
    observed: `${name} ${observed}`,
  }
}
