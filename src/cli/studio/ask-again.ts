import type { JobAsk } from '../../shared/job-ask.ts'
import type { Job } from '../../shared/job.ts'
import { unusable } from './at-studio.ts'

/** What a job asked for, with its own files handed over again. */
export function askAgain({ id, ask }: Pick<Job, 'id' | 'ask'>): JobAsk {
  switch (ask.kind) {
    case 'speech':
    case 'data':
      return ask
    case 'transcription':
      return { ...ask, file: ownFile(id, ask.file) }
    case 'embedding':
      // Whatever they came from, they stand in JSON Lines by now.
      return { ...ask, source: { form: 'jsonl', file: ownFile(id, ask.source.file) } }
    case 'batch':
      throw unusable('A batch is asked for again by the core alone.')
    case 'image':
    case 'video': {
      const { image, ...rest } = ask
      return image ? { ...rest, image: ownFile(id, image) } : rest
    }
  }
}

type Kept = { file: number } | { url: string }

function ownFile(jobId: string, kept: Kept): { jobId: string; index: number } | { url: string } {
  return 'file' in kept ? { jobId, index: kept.file } : kept
}
