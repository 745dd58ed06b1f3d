import { Command, Option } from 'commander'
import { addExamples } from '../help.ts'
import { transcriptFormats } from '../../shared/job-ask.ts'
import { toObject, withJobOptions } from './job-options.ts'
import type { TranscribeOptions } from './transcribe.ts'

/** `sotto transcribe`: transcribes a recording. */
export function transcribeCommand(): Command {
  const command = new Command('transcribe')
    .description('Transcribe a recording')
    .argument('[file]', 'MP3, MP4, M4A, WAV, or WebM file, at most 25 MB unless --split is used')
    .addOption(
      new Option('--format <format>', 'Output format. srt, vtt, and verbose_json include timestamps')
        .choices(transcriptFormats)
        .default('text'),
    )
    .option('--language <code>', 'Language of the recording, such as en (default: detected by the service)')
    .option('--prompt <words>', 'Names and terms that may occur in the recording')
    .option('-m, --model <id>', 'Model ID (default: the service chooses)')
    .option('--split', 'Send a WAV or MP3 file larger than 25 MB in parts. Each part is charged', false)
    .option('--extra <json>', 'Additional request parameters, as one JSON object', toObject)
  withJobOptions(command, {
    single: false,
    out: 'Save to a file or a folder. Without it, the transcript is printed',
  }).action(async (file: string | undefined, options: TranscribeOptions) => {
    process.exitCode = await (await import('./transcribe.ts')).transcribe(file, options)
  })
  return addExamples(
    command,
    'sotto transcribe interview.mp3',
    'sotto transcribe interview.mp3 --format srt --out interview.srt',
  )
}
