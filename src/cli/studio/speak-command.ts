import { Command } from 'commander'
import { addExamples } from '../help.ts'
import { toObject, withJobOptions } from './job-options.ts'
import type { SpeakOptions } from './speak.ts'

/** `sotto speak`: generates speech from text. */
export function speakCommand(): Command {
  const command = new Command('speak')
    .summary('Generate speech from text')
    .description('Generate speech from text. Long text is split at sentences, and the parts are joined.')
    .argument('[text...]', 'Text to speak. Without it: --file or standard input')
    .option('--file <file>', 'Text file in UTF-8, or - for standard input')
    .option('-m, --model <id>', 'Model ID from --voices (default: the service chooses)')
    .option('--voice <id>', 'Voice ID from --voices (default: the service chooses)')
    .option('--voices', 'List models with prices in US dollars, and voices', false)
    .option('--extra <json>', 'Additional request parameters, as one JSON object', toObject)
  withJobOptions(command, {
    single: false,
    out: 'Save to a file, a folder, or standard output (-). Without it, results stay in Sotto',
  }).action(async (text: string[], options: SpeakOptions & { voices: boolean }) => {
    const { printVoices, speak } = await import('./speak.ts')
    process.exitCode = options.voices ? await printVoices(options.json) : await speak(text.join(' '), options)
  })
  return addExamples(
    command,
    'sotto speak "Hello, world" --out hello.wav',
    'sotto speak --file story.txt --out story.wav --max-cost 0.50',
  )
}
