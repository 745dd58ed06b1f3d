import type { ChatRoute } from '../shared/chat-route.ts'
import type { Fetch } from '../shared/fetch.ts'
import type { Profile } from '../shared/profile.ts'
import type { TrustSet } from '../shared/trust.ts'
import { acceptedImages, chosenChatRoute, keepRecord, keptRecord } from './api/service-enclave-choices.ts'
import { openServiceEnclaveChannel, type Patience, type ServiceEnclaveChannel } from './channel/index.ts'
import type { Store } from './store/index.ts'

export interface ServiceEnclaveParts {
  readonly profile: Profile
  readonly store: Store
  readonly fetch: Fetch
  readonly now: () => number
  readonly trust: () => Promise<TrustSet>
  readonly patience: Patience
}

/** The channel to the service's own enclave, with what the person chose for it; null if the service has none, as in Revision A. */
export function openServiceEnclave({
  profile,
  store,
  fetch,
  now,
  trust,
  patience,
}: ServiceEnclaveParts): { readonly channel: ServiceEnclaveChannel; readonly route: () => ChatRoute } | null {
  const { serviceEnclave: policy, revision } = profile
  if (!policy || revision !== 'B') return null
  const { settings } = store
  const channel = openServiceEnclaveChannel({
    fetch,
    now,
    policy,
    trust,
    patience,
    images: {
      accepted() {
        // The rule for images may be among the rows that are missing: the weakest one would then count.
        store.integrity.requireIntact()
        const { rule, approved, proven } = acceptedImages(settings)
        if (rule === 'published') return { rule }
        if (rule === 'approved') return { rule, images: approved.map(({ pcr0 }) => pcr0) }
        return { rule, images: proven.map(({ pcr0, commit = '' }) => ({ pcr0, commit })) }
      },
      record: () => keptRecord(settings),
      keepRecord: (record) => keepRecord(settings, record),
    },
    record: (verdict, proof) => store.verifiedEnclaves.record(verdict, proof),
  })
  return { channel, route: () => chosenChatRoute(settings) }
}
