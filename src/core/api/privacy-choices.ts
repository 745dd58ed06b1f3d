import { SottoError } from '../../shared/errors.ts'
import { freshEvidenceSourceSchema, type FreshEvidenceSource } from '../../shared/fresh-evidence.ts'
import type { AttestationPolicy } from '../../shared/policy/attestation-policy.ts'
import { narrowPolicy, policyNarrowingSchema, type PolicyNarrowing } from '../../shared/policy/narrowing.ts'
import { say } from '../../shared/say.ts'
import type { Store } from '../store/index.ts'

/** What the user chose of one profile's enclave, sealed with the profile's other settings. */
type Settings = Store['settings']

const NARROWING = 'policy-narrowing'
const ASK = 'ask-before-new-release'
const FRESH = 'fresh-evidence'

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
  if (!parsed.success) throw new SottoError('store/damaged', { detail: say('The choice for fresh evidence can’t be read.') })
  return parsed.data
}

/** To ask for less is to loosen: the caller has that confirmed outside the window first. */
export function chooseFreshEvidence(settings: Settings, from: FreshEvidenceSource): void {
  settings.set(FRESH, from)
}

/** What is asked for on top of the profile's policy. Throws store/damaged. */
export function readNarrowing(settings: Settings): PolicyNarrowing {
  const kept = settings.get(NARROWING)
  if (kept === null) return {}
  const parsed = policyNarrowingSchema.safeParse(jsonOf(kept))
  // Never as if nothing had been asked for: that would widen what is accepted.
  if (!parsed.success) throw new SottoError('store/damaged', { detail: say('The pinned releases and measurements can’t be read.') })
  return parsed.data
}

/** Throws policy/pins-exclude-all where the policy would accept nothing; what was kept then stays. */
export function writeNarrowing(settings: Settings, policy: AttestationPolicy, narrowing: PolicyNarrowing): void {
  narrowed(policy, narrowing)
  settings.set(NARROWING, JSON.stringify(narrowing))
}

/** The policy in force: the profile's, and no wider. Throws policy/pins-exclude-all and store/damaged. */
export function policyInForce(settings: Settings, policy: AttestationPolicy): AttestationPolicy {
  return narrowed(policy, readNarrowing(settings))
}

function narrowed(policy: AttestationPolicy, narrowing: PolicyNarrowing): AttestationPolicy {
  const stricter = narrowPolicy(policy, narrowing)
  if (!stricter) throw new SottoError('policy/pins-exclude-all')
  return stricter
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
