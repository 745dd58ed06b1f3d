import type { GivenFile, JobAsk, StoredAsk, StoredFile } from '../../shared/job-ask.ts'
import type { JobRecord } from '../../shared/job-record.ts'
import { FIRST_GIVEN } from './source-files.ts'

/** The ask of a job as a new one: files that the job stores become references to them. */
export function askedAgain({ id, ask }: JobRecord): JobAsk {
  const sourceOf = (file: StoredFile): GivenFile => ('file' in file ? { jobId: id, index: file.file } : file)
  if (ask.kind === 'speech' || ask.kind === 'data') return ask
  if (ask.kind === 'transcription' || ask.kind === 'batch') return { ...ask, file: sourceOf(ask.file) }
  if (ask.kind === 'embedding') return { ...ask, source: { form: 'jsonl', file: sourceOf(ask.source.file) } }
  const { image, ...rest } = ask
  if (!image) return rest
  return { ...rest, image: sourceOf(image) }
}

/** The ask without the content of its files, which doesn't change the cost. */
export function withoutFiles(ask: JobAsk): StoredAsk {
  if (ask.kind === 'speech' || ask.kind === 'data') return ask
  if (ask.kind === 'transcription' || ask.kind === 'batch') return { ...ask, file: { file: FIRST_GIVEN } }
  if (ask.kind === 'embedding')
    return { ...ask, source: { form: ask.source.form, file: { file: FIRST_GIVEN } } }
  const { image, ...rest } = ask
  return image && 'url' in image ? { ...rest, image } : rest
}
