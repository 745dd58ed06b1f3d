import type { ServiceEnclaveView } from '../../shared/chat-route.ts'
import type { Status } from '../../shared/status.ts'
import { useServiceEnclave } from './service-enclave-store.ts'
import { useStatus } from './status-store.ts'

/** Who will be able to read chat with a model that isn't private. */
export interface CurrentChat {
  readonly privacy: 'relayed' | 'forwarded'
  /** It's sent so that the service can read it if the enclave can't be verified at that moment. */
  readonly mayForward: boolean
}

/**
 * What may be promised before a chat is sent. If the person accepts visible chats while the enclave can't be verified, a failed verdict makes
 * them visible, and any other leaves it open. The same holds until the choice is loaded.
 */
export function getCurrentChat(
  service: Pick<Status['service'], 'openChat'> | undefined,
  view: ServiceEnclaveView | null | undefined,
): CurrentChat {
  if (service?.openChat !== 'relayed' || view?.route === 'forwarded')
    return { privacy: 'forwarded', mayForward: false }
  if (view?.route === 'relayed') return { privacy: 'relayed', mayForward: false }
  return view?.verdict?.good === false
    ? { privacy: 'forwarded', mayForward: false }
    : { privacy: 'relayed', mayForward: true }
}

/** Who will be able to read messages to this model. */
export function chatPrivacy(isPrivate: boolean, currentChat: CurrentChat): 'sealed' | CurrentChat['privacy'] {
  return isPrivate ? 'sealed' : currentChat.privacy
}

export function useCurrentChat(): CurrentChat {
  const service = useStatus(({ status }) => status?.service)
  const view = useServiceEnclave((state) => state.view)
  return getCurrentChat(service, view)
}
