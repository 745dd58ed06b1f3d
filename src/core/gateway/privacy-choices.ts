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

/** The user's settings for one profile's enclave, sealed with the profile's other settings. */
type Settings = Store['settings']

const NARROWING = 'policy-narrowing'
const ASK = 'ask-before-new-release'
const FRESH = 'fresh-evidence'
const ACCEPTED_FLOORS = 'accepted-provider-floors'

/** Whether a release that was never accepted waits for consent. */
export function asksBeforeNew(settings: Settings): boolean {
  return settings.get(ASK) === 'yes'
}

/** Switching it off weakens protection: the caller confirms that outside the window first. */
export function setAsksBeforeNew(settings: Settings, on: boolean): void {
  settings.set(ASK, on ? 'yes' : 'no')
}

/**
 * Returns the chosen source of fresh evidence; null if the user hasn't chosen.
 * @throws {SottoError} store/damaged
 */
export function chosenFreshEvidence(settings: Settings): FreshEvidenceSource | null {
  const setting = settings.get(FRESH)
  if (setting === null) return null
  const parsed = freshEvidenceSourceSchema.safeParse(setting)
  if (!parsed.success)
    throw new SottoError('store/damaged', { detail: msg('The choice for fresh evidence can’t be read.') })
  return parsed.data
}

/** Whether the user has never chosen. An unreadable setting counts as a choice. */
export function isFreshEvidenceUnchosen(settings: Settings): boolean {
  return settings.get(FRESH) === null
}

/** Less fresh evidence weakens protection: the caller confirms that outside the window first. */
export function chooseFreshEvidence(settings: Settings, from: FreshEvidenceSource): void {
  settings.set(FRESH, from)
}

/** Returns the user's restrictions of the profile's policy. @throws {SottoError} store/damaged */
export function readNarrowing(settings: Settings): PolicyNarrowing {
  const setting = settings.get(NARROWING)
  if (setting === null) return {}
  const parsed = policyNarrowingSchema.safeParse(tryParseJson(setting))
  // An unreadable restriction must not count as none, because that would widen the policy.
  if (!parsed.success)
    throw new SottoError('store/damaged', {
      detail: msg('The pinned releases and measurements can’t be read.'),
    })
  return parsed.data
}

/**
 * Saves the restrictions.
 * @throws {SottoError} policy/pins-exclude-all – the policy would accept nothing; the earlier restrictions
 * then remain
 */
export function writeNarrowing(
  settings: Settings,
  policy: AttestationPolicy,
  narrowing: PolicyNarrowing,
): void {
  narrowed(policy, narrowing)
  settings.set(NARROWING, JSON.stringify(narrowing))
}

/**
 * Whether the person accepted every floor that the profile names for its provider. If a profile names others,
 * the person is asked again.
 */
export function acceptsProviderFloors(settings: Settings, policy: AttestationPolicy): boolean {
  const floors = providerFloors(policy)
  const accepted = readAcceptedFloors(settings)
  return floors.length > 0 && floors.every((floor) => isAccepted(floor, accepted))
}

/**
 * Saves accepted floors. This weakens protection: the caller confirms exactly these floors outside the window
 * first.
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
 * Returns the policy in force: the profile's policy with the user's restrictions. It's wider only in the
 * provider's firmware floors that the user accepted.
 * @throws {SottoError} policy/pins-exclude-all, store/damaged
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
