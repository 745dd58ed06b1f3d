import { create } from 'zustand'
import type { Failure, VoicePrices } from '../../../../shared/contract/sotto-contract.ts'
import type { Message } from '../../../../shared/conversation.ts'
import { api } from '../../../ui/api.ts'
import { asFailure } from '../../../ui/failure.ts'
import { onServiceChange, sameService } from '../../../ui/status-store.ts'

interface VoiceState {
  /** Whose draft is being dictated: the id of a conversation, or NEW. */
  readonly dictating: string | undefined
  /** The answer that is read aloud. */
  readonly reading: Pick<Message, 'id' | 'conversationId' | 'text'> | undefined
  readonly prices: VoicePrices | undefined
  readonly pricesFailure: Failure | undefined
  /** What was chosen last; the service chooses where nothing is. */
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

/** What is listed of those who listen and speak; asked for again where it could not be had. */
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

/** Opens what reads an answer aloud, which says first what it costs and who hears it. */
export function readAloud({
  id,
  conversationId,
  text,
}: Pick<Message, 'id' | 'conversationId' | 'text'>): void {
  useVoice.setState({ reading: { id, conversationId, text } })
}
