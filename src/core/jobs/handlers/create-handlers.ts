import type { JobKind, StoredAsk } from '../../../shared/job-ask.ts'
import type { GivenFiles } from '../source-files.ts'
import type { LiveSpeech } from '../live-speech.ts'
import { createBatchHandler, type BatchHandler } from './batch.ts'
import { ofKind, type JobHandler, type HandlerOptions } from './job-handler.ts'
import { createEmbeddingHandler } from './embedding.ts'
import { createImageHandler } from './image.ts'
import { createSpeechHandler } from './speech.ts'
import { createTranscriptionHandler } from './transcription.ts'
import { createVideoHandler } from './video.ts'
import { sendFromBalance } from '../send.ts'
import type { PayableAsk } from '../service.ts'

/** One call of a data endpoint. The response is the whole result: files that it names aren't fetched. */
function createDataHandler(options: HandlerOptions): JobHandler {
  return {
    check: () => undefined,
    payable: (ask) => Promise.resolve(requestOf(ask)),
    estimated: (ask) => Promise.resolve(requestOf(ask)),
    async send({ id, ask }) {
      if (await sendFromBalance(id, requestOf(ask), options)) options.jobs.apply(id, { type: 'answered' })
    },
    save: () => Promise.resolve(),
  }
}

function requestOf(ask: StoredAsk): PayableAsk {
  const { method, path, input } = ofKind('data', ask)
  return { endpoint: 'data', method, path, input }
}

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
