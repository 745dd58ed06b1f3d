import { Command, InvalidArgumentError, Option } from 'commander'
import { csvDelimiters } from '../../shared/job-ask.ts'
import { toObject, toWhole, withJobOptions } from './job-options.ts'
import type { MakeOptions } from './make-job.ts'

export interface DataOptions extends MakeOptions {
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

/** `sotto data`: the catalogue; one call; or one call for each row of a CSV file. */
export function dataCommand(): Command {
  const command = new Command('data')
    .description('what data the service sells, with its prices; ask for some, once or for each row of a CSV file; the service can read it')
    .argument('[path]', 'of the list, which is shown without one')
    .argument('[fields...]', 'name=text, or name:=JSON for a number, a list and the like')
    .option('--input <json>', 'all fields, as one JSON object', toObject)
    .addOption(new Option('--method <method>', 'as it is listed by default').choices(['GET', 'POST']))
    .option('--batch <file.csv>', 'ask once for each row of this file; fields are the same for all rows')
    .option('--map <field=column>', 'with --batch: the field of the request that a column fills, by its name or number, and as what: field=column:number, :boolean, :list or :json; may be repeated', toMap)
    .option('--no-header', 'with --batch: the first row is one like the others')
    .addOption(new Option('--delimiter <character>', 'with --batch: what parts the cells, one of , ; | and tab; found out by default').argParser(toDelimiter))
    .option('--concurrency <requests>', 'with --batch: requests at once', toWhole(1, 8))
    .option('--dry-run', 'with --batch: say what it would cost, and send nothing', false)
    .addOption(new Option('--format <format>', 'with --batch: of the results').choices(['csv', 'json']))
    .addOption(new Option('--rows <states...>', 'with --resume: send rows again that failed, or whose end is unknown; each is paid anew').choices(['failed', 'unknown']))
  return withJobOptions(command, { single: true, out: 'save it there: a file or a folder; else it is printed' })
    .action(async (path: string | undefined, fields: string[], options: BatchOptions) => {
      const goesOn = options.again !== undefined || options.resume !== undefined
      if (!goesOn && (options.batch !== undefined || options.map || options.dryRun)) process.exitCode = await (await import('./batch.ts')).runBatch(path, fields, options)
      else if (!goesOn && path === undefined) process.exitCode = await (await import('./data.ts')).printCatalogue(options.json)
      else process.exitCode = await (await import('./data.ts')).askData(path, fields, options)
    })
}

function toMap(text: string, before: Record<string, string> | undefined): Record<string, string> {
  const [, field, column] = /^([^=]+)=(.+)$/s.exec(text) ?? []
  if (field === undefined || column === undefined) throw new InvalidArgumentError('It is written as field=column.')
  return { ...before, [field]: column }
}

/** For commander: `tab` stands for the tab itself. Throws InvalidArgumentError. */
export function toDelimiter(text: string): (typeof csvDelimiters)[number] {
  const found = csvDelimiters.find((delimiter) => delimiter === (text === 'tab' ? '\t' : text))
  if (found === undefined) throw new InvalidArgumentError('It is one of , ; | and tab.')
  return found
}
