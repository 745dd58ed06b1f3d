import { create } from 'zustand'
import type { Privacy } from '../../shared/privacy.ts'
import type { CurrentChat } from './current-chat.ts'
import type { VerdictState } from './verdict-state.ts'

interface NextMessage {
  readonly isPrivate: boolean
  /** A private model can't be used at all, for example because the service has no attestation policy. */
  readonly isBlocked: boolean
  readonly verdict: VerdictState
  readonly currentChat: CurrentChat
}

/**
 * The one privacy state of the next message, which the composer, the model and the privacy sheet all show.
 * A failed verification blocks private messages until another one succeeds.
 */
export function sealOf({ isPrivate, isBlocked, verdict, currentChat }: NextMessage): Privacy {
  if (isBlocked) return 'refused'
  if (!isPrivate) return currentChat.privacy
  return verdict === 'refused' ? 'refused' : 'sealed'
}

/** The message that the privacy sheet explains. */
export interface SheetSubject {
  readonly privacy: Privacy
  /** The id of the model that reads the message. */
  readonly model: string
}

export const usePrivacySheet = create<{ readonly subject: SheetSubject | undefined }>()(() => ({
  subject: undefined,
}))

export function showPrivacySheet(subject: SheetSubject | undefined): void {
  usePrivacySheet.setState({ subject })
}
