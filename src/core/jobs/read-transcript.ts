import { SottoError } from '../../shared/errors.ts'
import type { JobRecord } from '../../shared/job-record.ts'
import type { Transcript } from '../../shared/job.ts'
import { readBytes } from '../../shared/limited-body.ts'
import type { Store } from '../storage/index.ts'
import { TRANSCRIPT } from './handlers/transcription.ts'
import { MAX_SEGMENTS, segmentsIn, textOf, wordsOf } from './transcripts.ts'

const MAX_BYTES = 64 * 1024 * 1024

/** The saved transcript of a recording. Throws studio/invalid-state until it exists. */
export async function readTranscript(
  { id, ask, note }: JobRecord,
  files: Pick<Store['jobFiles'], 'stream'>,
): Promise<Transcript> {
  const content = ask.kind === 'transcription' ? files.stream(id, TRANSCRIPT) : null
  if (ask.kind !== 'transcription' || !content) throw new SottoError('studio/invalid-state')
  const answer = await readBytes(content, MAX_BYTES)
  const edited = note === undefined ? {} : { edited: note }
  if (ask.format === 'srt' || ask.format === 'vtt') {
    const file = textOf(answer)
    return { text: file, segments: segmentsIn(file).slice(0, MAX_SEGMENTS), ...edited }
  }
  if (ask.format === 'text') return { text: textOf(answer), ...edited }
  const { text, language, duration, segments } = wordsOf(answer)
  return {
    text,
    ...edited,
    ...(language !== undefined && { language }),
    ...(duration !== undefined && { seconds: duration }),
    ...(segments && { segments }),
  }
}
