import { create } from 'zustand'
import type { Failure, VoicePrices } from '../../../../shared/contract/sotto-contract.ts'
import { api } from '../../../ui/api.ts'
import { asFailure } from '../../../ui/failure.ts'
import { onServiceChange, sameService } from '../../../ui/status-store.ts'

interface SpeechDraft {
  readonly text: string
  /** The private conversation that the text comes from, until all of it is taken away. */
  readonly from: { readonly conversationId: string } | undefined
  /** The id of a listed voice; empty: the service chooses. */
  readonly voice: string
  /** Typed where nothing is listed; empty: the service chooses. */
  readonly model: string
  /** It is heard as it comes. */
  readonly playing: boolean
  /** As listed; undefined before that. */
  readonly listed: VoicePrices | undefined
  readonly failure: Failure | undefined
}

const none = { voice: '', model: '', listed: undefined, failure: undefined }

/** What is about to be spoken. It outlives the tab. */
export const useSpeechDraft = create<SpeechDraft>()(() => ({
  ...none,
  text: '',
  from: undefined,
  playing: true,
}))

// The text is its owner's; voices are a service's.
onServiceChange(() => useSpeechDraft.setState(none))

/** Who speaks, as listed; asked for again where it could not be had. */
export async function loadVoices(): Promise<void> {
  const still = sameService()
  useSpeechDraft.setState({ failure: undefined })
  try {
    const listed = await api.voice.prices()
    if (still()) useSpeechDraft.setState({ listed })
  } catch (thrown) {
    if (still()) useSpeechDraft.setState({ failure: asFailure(thrown) })
  }
}
