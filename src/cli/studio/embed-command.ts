import { Command, Option } from 'commander'
import type { csvDelimiters } from '../../shared/job-ask.ts'
import { toDelimiter } from './data-command.ts'
import { toObject, toWhole, withJobOptions } from './job-options.ts'
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

/** `sotto embed`: texts as vectors. */
export function embedCommand(): Command {
  const command = new Command('embed')
    .description('have texts made into vectors: lines, a column of a CSV file, or files; the service can read them')
    .argument('[files...]', 'a text of lines, JSON Lines (.jsonl) or, with --column, CSV; without one the lines of standard input')
    .option('-m, --model <id>', 'of --models')
    .option('--models', 'list the models with their prices', false)
    .option('--dimensions <number>', 'of a vector, where the model can be told', toWhole(1, 65_536))
    .option('--column <column>', 'the file is CSV, and this column has the texts: its name, or its number')
    .option('--no-header', 'with --column: the first row is one like the others')
    .addOption(new Option('--delimiter <character>', 'with --column: what parts the cells, one of , ; | and tab; found out by default').argParser(toDelimiter))
    .option('--whole', 'each file is one text', false)
    .addOption(new Option('--format <format>', 'of the vectors; by default as --out ends, else npy').choices(['npy', 'csv', 'json', 'parquet']))
    .option('--extra <json>', 'members of the request that have no option here, as one JSON object', toObject)
  return withJobOptions(command, { single: false, out: 'save them there: a file that ends in .npy, .csv, .json or .parquet, a folder, or - for standard output; else they are kept in Sotto' })
    .action(async (files: string[], options: EmbedOptions & { models: boolean }) => {
      if (options.models) process.exitCode = await (await import('./print-models.ts')).printModels('embedding', options.json)
      else process.exitCode = await (await import('./embed.ts')).embed(files, options)
    })
}
