import { create } from 'zustand'
import type { GivenFile, JobAsk, transcriptFormats } from '../../../../shared/job-ask.ts'
import type { Failure, VoicePrices } from '../../../../shared/contract/sotto-contract.ts'
import { api } from '../../../ui/api.ts'
import { asFailure } from '../../../ui/failure.ts'
import { onServiceChange, sameService } from '../../../ui/status-store.ts'

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
  /** Empty: the service chooses. */
  readonly model: string
  readonly prompt: string
  /** What is too large is sent in pieces. */
  readonly split: boolean
  readonly recorded: Recorded | undefined
  /** Who listens, as listed; undefined before that. */
  readonly listening: VoicePrices['listening'] | undefined
  readonly failure: Failure | undefined
}

const none = { model: '', listening: undefined, failure: undefined }

/** What is about to be asked for. It outlives the tab. */
export const useTranscriptionDraft = create<TranscriptionDraft>()(() => ({
  ...none,
  format: 'verbose_json',
  language: 'multi',
  prompt: '',
  split: false,
  recorded: undefined,
}))

onServiceChange(() => useTranscriptionDraft.setState(none))

/** Asked for again where it could not be had. */
export async function loadListening(): Promise<void> {
  const still = sameService()
  useTranscriptionDraft.setState({ failure: undefined })
  try {
    const { listening } = await api.voice.prices()
    if (still()) useTranscriptionDraft.setState({ listening })
  } catch (thrown) {
    if (still()) useTranscriptionDraft.setState({ failure: asFailure(thrown) })
  }
}

/** @param large it is more than the service takes at once @param seconds where somebody read them */
export function transcriptionAsk(
  { format, language, model, prompt, split }: TranscriptionDraft,
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
