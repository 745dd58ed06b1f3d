import { create } from 'zustand'
import type { GivenFile, JobAsk, transcriptFormats } from '../../../../shared/job-ask.ts'
import type { ScopedState } from '../../../data/use-answer.ts'

export type TranscriptFormat = (typeof transcriptFormats)[number]

/** What was recorded here, until it is sent or thrown away. */
export interface Recorded {
  readonly file: File
  readonly seconds: number
}

interface TranscriptionDraft {
  readonly format: TranscriptFormat
  /** A tag; `multi` finds out; empty says nothing of it. */
  readonly language: string
  readonly prompt: string
  /** What is too large is sent in pieces. */
  readonly split: boolean
  readonly recorded: Recorded | undefined
}

/** What is about to be asked for. It outlives the tab. */
export const useTranscriptionDraft = create<TranscriptionDraft>()(() => ({
  format: 'verbose_json',
  language: 'multi',
  prompt: '',
  split: false,
  recorded: undefined,
}))

/** The ID of the model; empty if the service chooses. */
export const transcriptionModel: ScopedState<string> = { key: ['transcription-model'], initial: '' }

/** @param model empty if the service chooses @param large it is more than the service takes at once @param seconds where somebody read them */
export function transcriptionAsk(
  { format, language, prompt, split }: TranscriptionDraft,
  model: string,
  file: GivenFile,
  large: boolean,
  seconds: number | undefined,
): JobAsk {
  return {
    kind: 'transcription',
    file,
    format,
    ...(language !== '' && { language }),
    ...(model !== '' && { model }),
    ...(prompt.trim() !== '' && { prompt }),
    ...(large && split && { split: true as const }),
    ...(seconds !== undefined && { seconds }),
  }
}
