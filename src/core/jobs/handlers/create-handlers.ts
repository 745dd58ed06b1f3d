import type { JobKind } from '../../../shared/job-ask.ts'
import type { GivenFiles } from '../source-files.ts'
import type { LiveSpeech } from '../live-speech.ts'
import { createBatchHandler, type BatchHandler } from './batch.ts'
import type { JobHandler, HandlerOptions } from './job-handler.ts'
import { createDataHandler } from './data.ts'
import { createEmbeddingHandler } from './embedding.ts'
import { createImageHandler } from './image.ts'
import { createSpeechHandler } from './speech.ts'
import { createTranscriptionHandler } from './transcription.ts'
import { createVideoHandler } from './video.ts'

/** The handler for each kind of job. */
export type JobHandlers = Readonly<Record<JobKind, JobHandler>> & { readonly batch: BatchHandler }

/** Creates one handler for each kind of job. */
export function createJobHandlers(
  options: HandlerOptions,
  givenFiles: GivenFiles,
  live: LiveSpeech,
): JobHandlers {
  return {
    image: createImageHandler(options),
    video: createVideoHandler(options),
    speech: createSpeechHandler(options, live),
    transcription: createTranscriptionHandler(options),
    data: createDataHandler(options),
    embedding: createEmbeddingHandler(options, givenFiles),
    batch: createBatchHandler(options, givenFiles),
  }
}
