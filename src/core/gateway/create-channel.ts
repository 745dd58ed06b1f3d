import { directEnclaves, isDirect } from '../../shared/direct.ts'
import type { Fetch } from '../../shared/fetch.ts'
import type { AttestationPolicy } from '../../shared/policy/attestation-policy.ts'
import type { Profile } from '../../shared/profile.ts'
import { looksUpRevocation } from '../../shared/collateral-record.ts'
import type { TrustSet } from '../../shared/trust.ts'
import { chosenFreshEvidence, policyInForce } from './privacy-choices.ts'
import {
  createDirectChannel,
  createEnclaveChannel,
  type CollateralMemory,
  type EnclaveChannel,
  type FreshSource,
  type ReleaseMemory,
} from './channel/index.ts'
import type { Timeouts } from './request-timeout.ts'
import type { Store } from '../storage/index.ts'

export interface ChannelParts {
  readonly profile: Profile
  readonly store: Pick<Store, 'settings' | 'integrity'> & { readonly collateral: CollateralMemory }
  readonly fetch: Fetch
  readonly now: () => number
  readonly trust: () => Promise<TrustSet>
  readonly releases: ReleaseMemory
  readonly timeouts: Timeouts
  /** The base URL of the service, or of the router of a direct profile. */
  readonly baseUrl: string
}

/**
 * Creates the channel to the profile's enclaves.
 * @returns null if the profile has no policy, or its service has no private path
 */
export function createChannel({ profile, store, baseUrl, ...parts }: ChannelParts): EnclaveChannel | null {
  const { policy } = profile
  if (!policy || profile.revision !== 'B') return null
  const inForce = (rules: AttestationPolicy) => (): AttestationPolicy => {
    // A pin, or the setting to approve new releases, may be among missing rows.
    store.integrity.requireIntact()
    return policyInForce(store.settings, rules)
  }
  const common = { ...parts, collateral: store.collateral }
  const [router, ...others] = directEnclaves(profile).map((enclave) => ({
    ...enclave,
    policy: inForce(enclave.policy),
  }))
  if (router) return createDirectChannel({ ...common, enclaves: [router, ...others] })
  return createEnclaveChannel({
    ...common,
    policy: inForce(policy),
    freshSource: ({ enclaveHost }) => freshSource(profile, store, enclaveHost, baseUrl),
    privateUrl: `${baseUrl}${profile.privatePath}`,
    downloadsLists: looksUpRevocation(profile),
  })
}

/**
 * Returns the host of the enclave's own server, if a profile with a service fetches fresh evidence from it.
 */
export function freshEvidenceHost(profile: Profile, store: Pick<Store, 'settings'>): string | undefined {
  if (isDirect(profile)) return undefined
  const source = freshSource(profile, store, '', '')
  return source.from === 'direct' ? new URL(source.policy.origin).host : undefined
}

/** By default the service relays the request, because it then hides this computer's IP address. */
function freshSource(
  { policy }: Profile,
  { settings }: Pick<Store, 'settings'>,
  enclaveHost: string,
  serviceUrl: string,
): FreshSource {
  const from = chosenFreshEvidence(settings) ?? 'relayed'
  if (from === 'relayed') return { from, serviceUrl, enclaveHost }
  return from === 'direct' && policy?.nonceBound ? { from, policy: policy.nonceBound } : { from: 'never' }
}
