import { Command } from 'commander'
import { toObject, withJobOptions } from './job-options.ts'
import type { SpeakOptions } from './speak.ts'

/** `sotto speak`: a text as sound. */
export function speakCommand(): Command {
  const command = new Command('speak')
    .description('have a text spoken; a long one is parted at its sentences and joined; the service can read it')
    .argument('[text...]', 'what is said; without it, --file or standard input')
    .option('--file <file>', 'a text file in UTF-8, or - for standard input')
    .option('-m, --model <id>', 'of --voices; by default the service chooses')
    .option('--voice <id>', 'of --voices; by default the service chooses')
    .option('--voices', 'list the models with their prices, and the voices', false)
    .option('--extra <json>', 'members of the request that have no option here, as one JSON object', toObject)
  return withJobOptions(command, { single: false, out: 'save it there: a file, a folder, or - for standard output; else it is kept in Sotto' })
    .action(async (text: string[], options: SpeakOptions & { voices: boolean }) => {
      const { printVoices, speak } = await import('./speak.ts')
      process.exitCode = options.voices ? await printVoices(options.json) : await speak(text.join(' '), options)
    })
}
