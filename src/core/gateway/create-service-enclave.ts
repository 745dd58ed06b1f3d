import type { ChatRoute } from '../../shared/chat-route.ts'
import type { Fetch } from '../../shared/fetch.ts'
import type { Profile } from '../../shared/profile.ts'
import type { TrustSet } from '../../shared/trust.ts'
import { acceptedImages, chosenChatRoute, keepRecord, storedRecord } from './service-enclave-choices.ts'
import { createServiceEnclaveChannel, type ServiceEnclaveChannel } from './channel/index.ts'
import type { Timeouts } from './request-timeout.ts'
import type { Store } from '../storage/index.ts'

export interface ServiceEnclaveParts {
  readonly profile: Profile
  readonly store: Pick<Store, 'settings' | 'integrity' | 'verifiedEnclaves'>
  readonly fetch: Fetch
  readonly now: () => number
  readonly trust: () => Promise<TrustSet>
  readonly timeouts: Timeouts
}

/**
 * Creates the channel to the service's own enclave, with the person's settings for it; null if the service
 * has none, as in Revision A.
 */
export function createServiceEnclave({
  profile,
  store,
  fetch,
  now,
  trust,
  timeouts,
}: ServiceEnclaveParts): { readonly channel: ServiceEnclaveChannel; readonly route: () => ChatRoute } | null {
  const { serviceEnclave: policy, revision } = profile
  if (!policy || revision !== 'B') return null
  const { settings } = store
  const channel = createServiceEnclaveChannel({
    fetch,
    now,
    policy,
    trust,
    timeouts,
    images: {
      accepted() {
        // The rule for images may be among missing rows. Then the weakest rule would apply.
        store.integrity.requireIntact()
        const { rule, approved, proven } = acceptedImages(settings)
        if (rule === 'published') return { rule }
        if (rule === 'approved') return { rule, images: approved.map(({ pcr0 }) => pcr0) }
        return { rule, images: proven.map(({ pcr0, commit = '' }) => ({ pcr0, commit })) }
      },
      record: () => storedRecord(settings),
      keepRecord: (record) => keepRecord(settings, record),
    },
    record: (verdict, proof) => store.verifiedEnclaves.record(verdict, proof),
  })
  return { channel, route: () => chosenChatRoute(settings) }
}
