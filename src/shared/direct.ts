import type { AttestationPolicy } from './policy/attestation-policy.ts'
import type { Profile } from './profile.ts'

/**
 * Whether models are accessed at their provider's enclaves, without a service in between. Then there are
 * only a key and private chat: no accounts, balance, history, top-ups, key management, or models that
 * aren't private.
 *
 * @param service a profile, or the members of it in the status
 */
export function isDirect({ direct }: { readonly direct?: unknown }): boolean {
  return direct !== undefined
}

export interface EnclaveRules {
  readonly origin: string
  /** Without `private/`. The router has no list: it accepts each model that no other enclave names. */
  readonly models: readonly string[]
  readonly policy: AttestationPolicy
}

/**
 * The enclaves of a direct profile, each with its own policy: its host, its code repository, and the common rules of the platform.
 *
 * @returns the router first; none for a profile with a service, or without rules for fresh evidence
 */
export function directEnclaves({
  direct,
  baseUrl,
  policy,
}: Pick<Profile, 'direct' | 'baseUrl' | 'policy'>): readonly EnclaveRules[] {
  if (!direct || !policy) return []
  return [
    { origin: baseUrl, models: [], policy },
    ...direct.enclaves.map(({ origin, models, repository }) => ({
      origin: new URL(origin).origin,
      models,
      policy: ruledBy(policy, origin, repository),
    })),
  ]
}

/** Of every enclave that private requests can go to, the main one first. */
export function enclaveHostsOf(profile: Pick<Profile, 'direct' | 'baseUrl' | 'policy'>): string[] {
  const direct = directEnclaves(profile)
  if (direct.length > 0) return [...new Set(direct.map(({ policy }) => policy.enclaveHost))]
  return profile.policy ? [profile.policy.enclaveHost] : []
}

function ruledBy(policy: AttestationPolicy, origin: string, repository: string): AttestationPolicy {
  return {
    ...policy,
    enclaveHost: new URL(origin).hostname,
    code: { ...policy.code, repository },
    ...(policy.nonceBound && { nonceBound: { ...policy.nonceBound, origin } }),
  }
}
