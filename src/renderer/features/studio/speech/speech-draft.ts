import { create } from 'zustand'
import { currentScope } from '../../../data/service-scope.tsx'
import { setScopedState, type ScopedState } from '../../../data/use-answer.ts'

interface SpeechDraft {
  readonly text: string
  /** The private conversation that the text comes from, until the text is cleared. */
  readonly from: { readonly conversationId: string } | undefined
  /** Whether the speech plays while it is generated. */
  readonly playing: boolean
}

/** The text to speak. It survives a change of tab. */
export const useSpeechDraft = create<SpeechDraft>()(() => ({ text: '', from: undefined, playing: true }))

interface SpeechChoice {
  /** The ID of a voice; empty if the service chooses. */
  readonly voice: string
  /** Typed if the service lists no voices; empty if the service chooses. */
  readonly model: string
}

/** Voices belong to one service. */
export const speechChoice: ScopedState<SpeechChoice> = {
  key: ['speech-choice'],
  initial: { voice: '', model: '' },
}

export function chooseSpeech(part: Partial<SpeechChoice>): void {
  setScopedState(currentScope(), speechChoice, (before) => ({ ...before, ...part }))
}
