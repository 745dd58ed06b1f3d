import type { JobAsk } from '../../shared/job-ask.ts'
import type { Job } from '../../shared/job.ts'
import { unusable } from './at-studio.ts'

/** The request of a job, with its own files attached again. */
export function askAgain({ id, ask }: Pick<Job, 'id' | 'ask'>): JobAsk {
  switch (ask.kind) {
    case 'speech':
    case 'data':
      return ask
    case 'transcription':
      return { ...ask, file: ownFile(id, ask.file) }
    case 'embedding':
      // The core converted the texts to JSON Lines, whatever their first form was.
      return { ...ask, source: { form: 'jsonl', file: ownFile(id, ask.source.file) } }
    case 'batch':
      throw unusable('A batch can’t be sent again this way.', 'Use "sotto data --again <job>".')
    case 'image':
    case 'video': {
      const { image, ...rest } = ask
      return image ? { ...rest, image: ownFile(id, image) } : rest
    }
  }
}

type StoredSource = { file: number } | { url: string }

function ownFile(jobId: string, source: StoredSource): { jobId: string; index: number } | { url: string } {
  return 'file' in source ? { jobId, index: source.file } : source
}
