import type { Verdict } from './verdict.ts'

/**
 * The identity of a release that a person can trust: the digest of its release file, or its measurement if
 * the evidence names no release (Nitro). Undefined if neither was authenticated.
 */
export function releaseKey({
  release,
  measurement,
}: Pick<Verdict, 'release' | 'measurement'>): string | undefined {
  return release?.digest ?? measurement
}
