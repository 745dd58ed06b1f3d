import type { Verdict } from './verdict.ts'

/**
 * What a person trusts when they trust what an enclave runs: the digest of its release file, or, where the evidence names no
 * release (Nitro), its measurement. Undefined where nothing of the kind was authenticated.
 */
export function releaseKey({
  release,
  measurement,
}: Pick<Verdict, 'release' | 'measurement'>): string | undefined {
  return release?.digest ?? measurement
}
