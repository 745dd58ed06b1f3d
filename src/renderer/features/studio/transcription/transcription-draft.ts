import { create } from 'zustand'
import type { GivenFile, JobAsk, transcriptFormats } from '../../../../shared/job-ask.ts'
import type { ScopedState } from '../../../data/use-answer.ts'

export type TranscriptFormat = (typeof transcriptFormats)[number]

/** A recording from the microphone, until the user sends or discards it. */
export interface Recorded {
  readonly file: File
  readonly seconds: number
}

interface TranscriptionDraft {
  readonly format: TranscriptFormat
  /** A language tag; `multi` detects the language; empty omits the parameter. */
  readonly language: string
  readonly prompt: string
  /** Whether to send a file that is too large in pieces. */
  readonly split: boolean
  readonly recorded: Recorded | undefined
}

/** The request that the user is preparing. The draft survives a change of tab. */
export const useTranscriptionDraft = create<TranscriptionDraft>()(() => ({
  format: 'verbose_json',
  language: 'multi',
  prompt: '',
  split: false,
  recorded: undefined,
}))

/** The ID of the model; empty if the service chooses. */
export const transcriptionModel: ScopedState<string> = { key: ['transcription-model'], initial: '' }

/**
 * @param model empty if the service chooses @param large whether the file exceeds the service's limit for one
 * request @param seconds the duration, if known
 */
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
