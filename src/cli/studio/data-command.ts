import { Command, InvalidArgumentError, Option } from 'commander'
import { csvDelimiters } from '../../shared/job-ask.ts'
import { addExamples } from '../help.ts'
import { toObject, withJobOptions } from './job-options.ts'
import { toWhole } from '../option-values.ts'
import type { MakeOptions } from './make-job.ts'

interface DataOptions extends MakeOptions {
  readonly input?: Record<string, unknown>
  readonly method?: 'GET' | 'POST'
}

export interface BatchOptions extends DataOptions {
  readonly batch?: string
  readonly map?: Record<string, string>
  readonly header: boolean
  readonly delimiter?: (typeof csvDelimiters)[number]
  readonly concurrency?: number
  readonly dryRun: boolean
  readonly format?: 'csv' | 'json'
  readonly rows?: ('failed' | 'unknown')[]
}

/** `sotto data`: the catalog; one lookup; or one lookup for each row of a CSV file. */
export function dataCommand(): Command {
  const command = new Command('data')
    .summary('Look up data, once or for each row of a CSV file')
    .description(
      'Look up data, once or for each row of a CSV file. Without a path, list all lookups with prices in US dollars.',
    )
    .argument('[path]', 'Path of the lookup, as listed by "sotto data"')
    .argument(
      '[fields...]',
      'Fields of the lookup: name=text, or name:=JSON for numbers, lists, and other values',
    )
    .option('--input <json>', 'All fields, as one JSON object', toObject)
    .addOption(new Option('--method <method>', 'HTTP method (default: as listed)').choices(['GET', 'POST']))
    .option('--batch <file.csv>', 'Run the lookup for each row of this file. Fields apply to all rows')
    .option(
      '--map <field=column>',
      'With --batch: fill a field from a column, by name or number. Add :number, :boolean, :list, or :json to convert cells. Can be repeated',
      toMap,
    )
    .option('--no-header', 'With --batch: the first row has no column names')
    .addOption(
      new Option(
        '--delimiter <character>',
        'With --batch: cell delimiter, one of , ; | or tab (default: detected)',
      ).argParser(toDelimiter),
    )
    .option(
      '--concurrency <requests>',
      'With --batch: concurrent requests, 1 to 8 (default: 2)',
      toWhole(1, 8),
    )
    .option('--dry-run', 'With --batch: print the estimated cost and send nothing', false)
    .addOption(
      new Option('--format <format>', 'With --batch: format of the results').choices(['csv', 'json']),
    )
    .addOption(
      new Option(
        '--rows <states...>',
        'With --resume: also send rows again that failed or whose outcome is unknown. Each is charged again',
      ).choices(['failed', 'unknown']),
    )
  withJobOptions(command, {
    single: true,
    out: 'Save to a file or a folder. Without it, the result is printed',
  }).action(async (path: string | undefined, fields: string[], options: BatchOptions) => {
    const goesOn = options.again !== undefined || options.resume !== undefined
    if (!goesOn && (options.batch !== undefined || options.map || options.dryRun))
      process.exitCode = await (await import('./batch.ts')).runBatch(path, fields, options)
    else if (!goesOn && path === undefined)
      process.exitCode = await (await import('./data.ts')).printCatalogue(options.json)
    else process.exitCode = await (await import('./data.ts')).askData(path, fields, options)
  })
  return addExamples(
    command,
    'sotto data',
    'sotto data api/websearch/search query=otters',
    'sotto data api/websearch/search --batch terms.csv --map query=term --dry-run',
  )
}

function toMap(text: string, before: Record<string, string> | undefined): Record<string, string> {
  const [, field, column] = /^([^=]+)=(.+)$/s.exec(text) ?? []
  if (field === undefined || column === undefined) throw new InvalidArgumentError('Use field=column.')
  return { ...before, [field]: column }
}

/** Parses a delimiter for commander: `tab` means the tab character. Throws InvalidArgumentError. */
export function toDelimiter(text: string): (typeof csvDelimiters)[number] {
  const found = csvDelimiters.find((delimiter) => delimiter === (text === 'tab' ? '\t' : text))
  if (found === undefined) throw new InvalidArgumentError('Use one of , ; | or tab.')
  return found
}
