import { SottoError } from '../../shared/errors.ts'
import { freshEvidenceSourceSchema, type FreshEvidenceSource } from '../../shared/fresh-evidence.ts'
import type { AttestationPolicy } from '../../shared/policy/attestation-policy.ts'
import {
  acceptedFloorsSchema,
  isAccepted,
  providerFloors,
  withProviderFloors,
  type AcceptedFloors,
  type ProviderFloor,
} from '../../shared/policy/provider-floor.ts'
import { narrowPolicy, policyNarrowingSchema, type PolicyNarrowing } from '../../shared/policy/narrowing.ts'
import { msg } from '../../shared/localized-text.ts'
import type { Store } from '../storage/index.ts'
import { tryParseJson } from '../../shared/strict-json.ts'

/** What the user chose of one profile's enclave, sealed with the profile's other settings. */
type Settings = Store['settings']

const NARROWING = 'policy-narrowing'
const ASK = 'ask-before-new-release'
const FRESH = 'fresh-evidence'
const ACCEPTED_FLOORS = 'accepted-provider-floors'

/** Whether a release that was never accepted waits for consent. */
export function asksBeforeNew(settings: Settings): boolean {
  return settings.get(ASK) === 'yes'
}

/** To switch it off is to loosen: the caller has that confirmed outside the window first. */
export function setAsksBeforeNew(settings: Settings, on: boolean): void {
  settings.set(ASK, on ? 'yes' : 'no')
}

/** Where the user wants fresh evidence from; null until they chose. Throws store/damaged. */
export function chosenFreshEvidence(settings: Settings): FreshEvidenceSource | null {
  const kept = settings.get(FRESH)
  if (kept === null) return null
  const parsed = freshEvidenceSourceSchema.safeParse(kept)
  if (!parsed.success)
    throw new SottoError('store/damaged', { detail: msg('The choice for fresh evidence can’t be read.') })
  return parsed.data
}

/** Whether the user was never asked for it. A choice that can't be read was one. */
export function isFreshEvidenceUnchosen(settings: Settings): boolean {
  return settings.get(FRESH) === null
}

/** To ask for less is to loosen: the caller has that confirmed outside the window first. */
export function chooseFreshEvidence(settings: Settings, from: FreshEvidenceSource): void {
  settings.set(FRESH, from)
}

/** What is asked for on top of the profile's policy. Throws store/damaged. */
export function readNarrowing(settings: Settings): PolicyNarrowing {
  const kept = settings.get(NARROWING)
  if (kept === null) return {}
  const parsed = policyNarrowingSchema.safeParse(tryParseJson(kept))
  // Never as if nothing had been asked for: that would widen what is accepted.
  if (!parsed.success)
    throw new SottoError('store/damaged', {
      detail: msg('The pinned releases and measurements can’t be read.'),
    })
  return parsed.data
}

/** Throws policy/pins-exclude-all where the policy would accept nothing; what was kept then stays. */
export function writeNarrowing(
  settings: Settings,
  policy: AttestationPolicy,
  narrowing: PolicyNarrowing,
): void {
  narrowed(policy, narrowing)
  settings.set(NARROWING, JSON.stringify(narrowing))
}

/** Whether the person accepted every floor that the profile names for its provider. A profile that names others asks again. */
export function acceptsProviderFloors(settings: Settings, policy: AttestationPolicy): boolean {
  const floors = providerFloors(policy)
  const accepted = readAcceptedFloors(settings)
  return floors.length > 0 && floors.every((floor) => isAccepted(floor, accepted))
}

/**
 * Accepting floors is to loosen: the caller has exactly these confirmed outside the window first.
 *
 * @param floors none restores the policy's own floors
 */
export function acceptProviderFloors(settings: Settings, floors: readonly ProviderFloor[]): void {
  settings.set(
    ACCEPTED_FLOORS,
    JSON.stringify(Object.fromEntries(floors.map(({ product, provider }) => [product, provider]))),
  )
}

/** An unreadable record accepts nothing, so that the policy's own floors apply. */
function readAcceptedFloors(settings: Settings): AcceptedFloors {
  const parsed = acceptedFloorsSchema.safeParse(tryParseJson(settings.get(ACCEPTED_FLOORS) ?? '{}'))
  return parsed.success ? parsed.data : {}
}

/**
 * The policy in force: the profile's, narrowed by the user, and no wider except for firmware floors of the provider that the user
 * accepted. Throws policy/pins-exclude-all and store/damaged.
 */
export function policyInForce(settings: Settings, policy: AttestationPolicy): AttestationPolicy {
  const stricter = narrowed(policy, readNarrowing(settings))
  return acceptsProviderFloors(settings, policy) ? withProviderFloors(stricter) : stricter
}

function narrowed(policy: AttestationPolicy, narrowing: PolicyNarrowing): AttestationPolicy {
  const stricter = narrowPolicy(policy, narrowing)
  if (!stricter) throw new SottoError('policy/pins-exclude-all')
  return stricter
}
