import { create } from 'zustand'
import type { Failure, VoicePrices } from '../../../../shared/contract/sotto-contract.ts'
import type { Message } from '../../../../shared/conversation.ts'
import { api } from '../../../ui/api.ts'
import { asFailure } from '../../../ui/failure.ts'
import { onServiceChange, sameService } from '../../../ui/status-store.ts'

interface VoiceState {
  /** The draft that is being dictated: a conversation ID, or NEW. */
  readonly dictating: string | undefined
  /** The answer that is read aloud. */
  readonly reading: Pick<Message, 'id' | 'conversationId' | 'text'> | undefined
  readonly prices: VoicePrices | undefined
  readonly pricesFailure: Failure | undefined
  /** The latest choices. If undefined, the service chooses. */
  readonly listener: string | undefined
  readonly voice: string | undefined
}

const empty: VoiceState = {
  dictating: undefined,
  reading: undefined,
  prices: undefined,
  pricesFailure: undefined,
  listener: undefined,
  voice: undefined,
}

export const useVoice = create<VoiceState>()(() => empty)

onServiceChange(() => useVoice.setState(empty))

/** Loads the listed models for speech and transcription. It can be called again after a failure. */
export async function loadVoicePrices(): Promise<void> {
  const still = sameService()
  useVoice.setState({ pricesFailure: undefined })
  try {
    const prices = await api.voice.prices()
    if (still()) useVoice.setState({ prices })
  } catch (thrown) {
    if (still()) useVoice.setState({ pricesFailure: asFailure(thrown) })
  }
}

/** Opens the panel that reads a reply aloud. It first shows the cost and who hears the reply. */
export function readAloud({
  id,
  conversationId,
  text,
}: Pick<Message, 'id' | 'conversationId' | 'text'>): void {
  useVoice.setState({ reading: { id, conversationId, text } })
}
