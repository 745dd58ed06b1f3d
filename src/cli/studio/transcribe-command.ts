import { Command, Option } from 'commander'
import { transcriptFormats } from '../../shared/job-ask.ts'
import { toObject, withJobOptions } from './job-options.ts'
import type { TranscribeOptions } from './transcribe.ts'

/** `sotto transcribe`: what a recording says. */
export function transcribeCommand(): Command {
  const command = new Command('transcribe')
    .description('have written down what a recording says; the service can hear it')
    .argument('[file]', 'MP3, MP4, M4A, WAV or WebM, at most 25 MB, or larger with --split')
    .addOption(new Option('--format <format>', 'srt, vtt and verbose_json have times').choices(transcriptFormats).default('text'))
    .option('--language <code>', 'such as en; without it the service finds out')
    .option('--prompt <words>', 'names and words that it may hear')
    .option('-m, --model <id>', 'by default the service chooses')
    .option('--split', 'send a WAV or MP3 file of more than 25 MB in pieces, each of which costs', false)
    .option('--extra <json>', 'members of the request that have no option here, as one JSON object', toObject)
  return withJobOptions(command, { single: false, out: 'save it there: a file or a folder; else it is printed' })
    .action(async (file: string | undefined, options: TranscribeOptions) => {
      process.exitCode = await (await import('./transcribe.ts')).transcribe(file, options)
    })
}
