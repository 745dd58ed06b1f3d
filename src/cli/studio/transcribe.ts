import type { transcriptFormats } from '../../shared/job-ask.ts'
import type { Job } from '../../shared/job.ts'
import { terminalSafe } from '../chat.ts'
import { unusable, type Studio, asExtra } from './at-studio.ts'
import { uploadShown } from './given-image.ts'
import { makeJob, type MakeOptions } from './make-job.ts'
import { textAt } from './save-files.ts'
import { savedFiles } from './words.ts'

export interface TranscribeOptions extends MakeOptions {
  readonly format: (typeof transcriptFormats)[number]
  readonly model?: string
  readonly language?: string
  readonly prompt?: string
  readonly split: boolean
  readonly extra?: Record<string, unknown>
}

const MAX_TEXT_BYTES = 64 * 1024 * 1024

/** `sotto transcribe`: what a recording says, on standard output. Returns the exit code. */
export function transcribe(file: string | undefined, options: TranscribeOptions): Promise<number> {
  const { format, model, language, prompt, split, extra } = options
  return makeJob(options, {
    kinds: ['transcription'],
    ask: async (studio) => {
      if (file === undefined)
        throw unusable('The recording is missing.', 'Name an MP3, MP4, M4A, WAV, or WebM file.')
      const { uploadId } = await uploadShown(studio, file)
      return {
        kind: 'transcription',
        file: { uploadId },
        format,
        ...(model !== undefined && { model }),
        ...(language !== undefined && { language }),
        ...(prompt !== undefined && { prompt }),
        ...(split && { split: true }),
        ...asExtra(extra),
      }
    },
    print: async (studio, job) => {
      const text = await whole(studio, job)
      process.stdout.write(`${(process.stdout.isTTY ? terminalSafe(text) : text).trimEnd()}\n`)
    },
    shown: async (studio, job) => ({ text: await whole(studio, job) }),
  })
}

async function whole({ door }: Studio, job: Job): Promise<string> {
  const file = savedFiles(job)[0]
  if (!file) return ''
  const { path } = await door.client.studio.link({ jobId: job.id, index: file.index })
  return textAt(door, path, MAX_TEXT_BYTES)
}
