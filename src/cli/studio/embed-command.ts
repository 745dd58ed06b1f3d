import { Command, Option } from 'commander'
import { addExamples } from '../help.ts'
import type { csvDelimiters } from '../../shared/job-ask.ts'
import { toDelimiter } from './data-command.ts'
import { toObject, withJobOptions } from './job-options.ts'
import { toWhole } from '../option-values.ts'
import type { MakeOptions } from './make-job.ts'

export interface EmbedOptions extends MakeOptions {
  readonly model?: string
  readonly dimensions?: number
  readonly column?: string
  readonly header: boolean
  readonly delimiter?: (typeof csvDelimiters)[number]
  readonly whole: boolean
  readonly format?: 'npy' | 'csv' | 'json' | 'parquet'
  readonly extra?: Record<string, unknown>
}

/** `sotto embed`: turns texts into vectors. */
export function embedCommand(): Command {
  const command = new Command('embed')
    .summary('Create embeddings of texts')
    .description('Create embeddings (vectors) of texts: lines, a CSV column, or whole files.')
    .argument(
      '[files...]',
      'Text file with one text per line, JSON Lines (.jsonl), or CSV with --column. Without it: lines from standard input',
    )
    .option('-m, --model <id>', 'Model ID. To list models, use --models')
    .option('--models', 'List models with prices per million tokens, in US dollars', false)
    .option(
      '--dimensions <number>',
      'Dimensions of each vector, if the model supports a choice',
      toWhole(1, 65_536),
    )
    .option('--column <column>', 'Text column of a CSV file, by name or number')
    .option('--no-header', 'With --column: the first row has no column names')
    .addOption(
      new Option(
        '--delimiter <character>',
        'With --column: cell delimiter, one of , ; | or tab (default: detected)',
      ).argParser(toDelimiter),
    )
    .option('--whole', 'Treat each file as one text', false)
    .addOption(
      new Option('--format <format>', 'Output format (default: from the file name of --out, or npy)').choices(
        ['npy', 'csv', 'json', 'parquet'],
      ),
    )
    .option('--extra <json>', 'Additional request parameters, as one JSON object', toObject)
  withJobOptions(command, {
    single: false,
    out: 'Save to a file (.npy, .csv, .json, or .parquet), a folder, or standard output (-). Without it, results stay in Sotto',
  }).action(async (files: string[], options: EmbedOptions & { models: boolean }) => {
    if (options.models)
      process.exitCode = await (await import('./print-models.ts')).printModels('embedding', options.json)
    else process.exitCode = await (await import('./embed.ts')).embed(files, options)
  })
  return addExamples(
    command,
    'sotto embed --models',
    'sotto embed notes.txt -m sandbox/eco-embedding-small --out notes.npy',
  )
}
