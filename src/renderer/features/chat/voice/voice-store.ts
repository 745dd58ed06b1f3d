import { create } from 'zustand'
import type { Message } from '../../../../shared/conversation.ts'
import { onServiceChange } from '../../../ui/status-store.ts'

interface VoiceState {
  /** The draft that is being dictated: a conversation ID, or NEW. */
  readonly dictating: string | undefined
  /** The answer that is read aloud. */
  readonly reading: Pick<Message, 'id' | 'conversationId' | 'text'> | undefined
  /** The latest choices. If undefined, the service chooses. */
  readonly listener: string | undefined
  readonly voice: string | undefined
}

const empty: VoiceState = {
  dictating: undefined,
  reading: undefined,
  listener: undefined,
  voice: undefined,
}

export const useVoice = create<VoiceState>()(() => empty)

onServiceChange(() => useVoice.setState(empty))

/** Opens the panel that reads a reply aloud. It first shows the cost and who hears the reply. */
export function readAloud({
  id,
  conversationId,
  text,
}: Pick<Message, 'id' | 'conversationId' | 'text'>): void {
  useVoice.setState({ reading: { id, conversationId, text } })
}
