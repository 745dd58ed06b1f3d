import type { AttestationPolicy } from './policy/attestation-policy.ts'
import type { Profile } from './profile.ts'

/**
 * Whether models are reached at their provider's enclaves, with no service in between. Then there is a key and private chat, and nothing
 * else: no accounts, balance, history, top-ups, keys to manage, or models that aren't private.
 *
 * @param service a profile, or what the status has of it
 */
export function isDirect({ direct }: { readonly direct?: unknown }): boolean {
  return direct !== undefined
}

export interface EnclaveRules {
  readonly origin: string
  /** Without `private/`. The router has none: it takes each model that no other enclave names. */
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
